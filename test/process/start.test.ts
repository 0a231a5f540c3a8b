import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/processes.js';
import { processesOf, runStart, type StartedScript } from '../support/startScript.js';

const run = promisify(execFile);

describe('npm start', function () {
  this.timeout(180_000);
  let dataDir: string;
  let port: number;
  let settings: Record<string, string>;
  let start: StartedScript | undefined;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'video-platform-start-'));
    port = await freePort();
    settings = { DATA_DIR: dataDir, PORT: String(port), DEMO: 'off', ENCODER_PRESET: 'ultrafast' };
  });

  afterEach(async () => {
    start?.signal('SIGTERM');
    await start?.ended;
    start = undefined;
    const database = await realpath(join(dataDir, 'postgres'));
    await rm(database, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  });

  async function readyStart(given = settings): Promise<StartedScript> {
    start = runStart(given);
    await start.prints('Ctrl-C stops everything.');
    return start;
  }

  /** 0 if there is no response. */
  async function statusOf(path: string): Promise<number> {
    return fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => 0,
    );
  }

  /** The pid of our oldest process whose command line matches. */
  function pidOf(pattern: RegExp): number {
    const found = processesOf(dataDir).find(({ command }) => pattern.test(command));
    if (!found) throw new Error(`there is no ${pattern.source}`);
    return found.pid;
  }

  it('serves, keeps data and credentials over a restart, and leaves no process behind', async () => {
    await readyStart();
    expect(await statusOf('/healthz')).to.equal(200);
    const credentials = await readFile(join(dataDir, 'credentials.json'), 'utf8');
    expect((await stat(join(dataDir, 'credentials.json'))).mode & 0o777).to.equal(0o600);
    const encoder = encoderAddress();
    await stopsWithin(10_000, 'SIGTERM');

    const began = performance.now();
    await readyStart();
    expect(performance.now() - began).to.be.below(10_000);
    expect(await readFile(join(dataDir, 'credentials.json'), 'utf8')).to.equal(credentials);
    expect(start?.output()).not.to.include('Schema brought up to date');
    expect(encoderAddress()).to.equal(encoder);
    await stopsWithin(10_000, 'SIGINT');
  });

  /** As printed; the live process listens there. */
  function encoderAddress(): string {
    const output = start?.output() ?? '';
    const [, address, rtmpPort] = /Encoder +(rtmp:\/\/127\.0\.0\.1:(\d+)\/live) /.exec(output) ?? expect.fail(output);
    expect(output).to.match(new RegExp(`live +.*RTMP server listening.* port=${rtmpPort}`));
    return address as string;
  }

  async function stopsWithin(milliseconds: number, signal: NodeJS.Signals): Promise<void> {
    const began = performance.now();
    start?.signal(signal);
    start?.signal(signal);
    expect(await start?.ended, start?.output()).to.equal(0);
    expect(performance.now() - began).to.be.below(milliseconds);
    expect(processesOf(dataDir)).to.deep.equal([]);
  }

  it('stops all processes when its output is closed', async () => {
    await readyStart();
    const began = performance.now();
    start?.closeOutput();
    // Causes a log line that cannot be written.
    await statusOf('/nowhere');
    expect(await start?.ended).to.equal(0);
    expect(performance.now() - began).to.be.below(12_000);
    expect(processesOf(dataDir)).to.deep.equal([]);
  });

  it('restarts a process that has ended: clock, server of the database, and the process around it', async () => {
    const running = await readyStart();
    process.kill(pidOf(/workers\/clock\.js/), 'SIGKILL');
    await running.prints('clock has ended (SIGKILL) and starts again in 0.5 s.');
    await eventually(() => pidOf(/workers\/clock\.js/));

    for (const [deaths, victim] of [
      [1, /^\S+bin\/postgres -D/],
      [2, /postgresProcess\.js/],
    ] as const) {
      process.kill(pidOf(victim), 'SIGKILL');
      await running.prints(new RegExp(`(PostgreSQL has ended [^]*){${deaths}}`));
      await eventually(async () => expect(await statusOf('/readyz'), running.output()).to.equal(200), {
        timeoutMs: 30_000,
      });
    }
  });

  it('leaves no process running when it is killed, and can be started again', async () => {
    const killed = await readyStart();
    killed.signal('SIGKILL');
    expect(await killed.ended).to.equal('SIGKILL');
    await eventually(() => expect(processesOf(dataDir)).to.deep.equal([]), { timeoutMs: 12_000, everyMs: 200 });
    await readyStart();
    expect(await statusOf('/readyz')).to.equal(200);
  });

  it('uploads, transcodes and publishes a sample clip, and prints commands that work', async () => {
    const running = runStart({ ...settings, DEMO: 'on', DEMO_CLIP_SECONDS: '4' });
    start = running;
    await running.prints('Ctrl-C stops everything.', 150_000);
    const output = running.output();
    expect(output)
      .to.match(/Upload 100 %/)
      .and.match(/Transcode 100 %/);
    const address = /Plays at +(\S+)/.exec(output)?.[1] as string;
    expect((await fetch(address)).status).to.equal(200);
    await runPrinted(output);
    await stopsWithin(10_000, 'SIGTERM');

    const again = await readyStart({ ...settings, DEMO: 'on' });
    expect(again.output())
      .to.include(address)
      .and.not.match(/Upload \d/);
  });

  /** Runs the printed commands in a shell, if curl is installed. */
  async function runPrinted(output: string): Promise<void> {
    const commands = output.split('\n').filter((line) => /^ {2}(TOKEN|curl)/.test(line));
    expect(commands).to.have.lengthOf(3);
    if (spawnSync('curl', ['--version']).error) return;
    const { stdout } = await run('/bin/sh', ['-ec', commands.join('\necho\n')]);
    const [, search, play] = stdout.split('\n');
    expect(JSON.parse(search as string)).to.have.property('totalCount', 1);
    expect(JSON.parse(play as string)).to.have.property('result', 'PLAY');
  }
});
