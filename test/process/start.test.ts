import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { protocolExamples, runPrinted } from '../support/printedCode.js';
import { freePort } from '../support/processes.js';
import { processesOf, runStart, type StartedScript } from '../support/startScript.js';
import { watchPrintedWarnings } from '../support/warnings.js';

const demos = {
  live: fileURLToPath(new URL('../../scripts/demo/live/main.js', import.meta.url)),
  cast: fileURLToPath(new URL('../../scripts/demo/cast/main.js', import.meta.url)),
};

/** The tests run in order, on one data folder: each continues where the one before it has stopped. */
describe('npm start', function () {
  this.timeout(180_000);
  let dataDir: string;
  let port: number;
  let settings: Record<string, string>;
  let start: StartedScript | undefined;
  /** Of the first start. */
  let credentials: string;
  let encoder: string;
  let demoAddress: string;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'video-platform-start-'));
    port = await freePort();
    const fast = { ENCODER_PRESET: 'ultrafast', LIVE_RENDITIONS: '240', LIVE_PRESET: 'ultrafast' };
    settings = { DATA_DIR: dataDir, PORT: String(port), DEMO_CLIP_SECONDS: '2', ...fast };
  });

  after(async () => {
    start?.signal('SIGTERM');
    await start?.ended;
    const database = await realpath(join(dataDir, 'postgres'));
    await rm(database, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  });

  async function readyStart(DEMO: 'on' | 'off', timeoutMs?: number): Promise<StartedScript> {
    start = runStart({ ...settings, DEMO });
    await start.prints('Ctrl-C stops everything.', timeoutMs);
    return start;
  }

  const readCredentials = (): Promise<string> => readFile(join(dataDir, 'credentials.json'), 'utf8');

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

  it('uploads and publishes a sample clip, which plays as soon as it is copied, and prints commands that work', async () => {
    const output = (await readyStart('on', 150_000)).output();
    expect(output).to.match(/Upload 100 %/);
    demoAddress = /Plays at +(\S+)/.exec(output)?.[1] ?? expect.fail(output);
    expect((await fetch(demoAddress)).status).to.equal(200);
    const commands = output.split('\n').filter((line) => /^ {2}(TOKEN=|BOX=|VOD=|curl|while|echo)/.test(line));
    expect(commands).to.have.lengthOf(7);
    const printed = (await runPrinted('sh', commands.join('\necho\n'))).split('\n').filter((line) => line !== '');
    expect(JSON.parse(printed[0] ?? '')).to.have.property('totalCount', 1);
    expect(JSON.parse(printed[1] ?? '')).to.have.property('result', 'PLAY');
    expect((await fetch(printed.at(-1) ?? '')).status).to.equal(200);
  });

  it('answers the examples of docs/protocol.md as they are printed: curl, JavaScript and Python', async () => {
    const kept = JSON.parse(await readCredentials()) as Record<string, string>;
    const env = {
      SERVICE: `http://127.0.0.1:${port}`,
      CLIENT: kept['OAUTH_CLIENT_ID'] ?? '',
      SECRET: kept['OAUTH_CLIENT_SECRET'] ?? '',
    };
    for (const [language, expected] of [
      ['sh', /embed\/\?vod=\S{36}"[^]*"itemCount":1[^]*PAYMENT_REQUIRED\s+http\S+\.m3u8\s+$/],
      ['js', /^<iframe src="\S+\/embed\/\?vod=\S{36}"/],
      ['python', /^<iframe src="\S+\/embed\/\?vod=\S{36}"/],
    ] as const)
      expect(await runPrinted(language, await protocolExamples(language), env), language).to.match(expected);
  });

  it('serves, stores its credentials for nobody else, and stops at SIGTERM without leaving a process', async () => {
    expect(await statusOf('/healthz')).to.equal(200);
    credentials = await readCredentials();
    expect((await stat(join(dataDir, 'credentials.json'))).mode & 0o777).to.equal(0o600);
    encoder = encoderAddress();
    await stopsWithin(10_000, 'SIGTERM');
  });

  it('keeps data and credentials over a restart', async () => {
    const began = performance.now();
    const again = await readyStart('on');
    // Below 10 s on an idle machine; other tests run at the same time.
    expect(performance.now() - began).to.be.below(15_000);
    expect(await readCredentials()).to.equal(credentials);
    expect(again.output())
      .to.include(demoAddress)
      .and.not.match(/Upload \d/)
      .and.not.include('Schema brought up to date');
    expect(encoderAddress()).to.equal(encoder);
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

  it('restarts a process that has ended: clock, server of the database, and the process around it', async () => {
    const running = start ?? expect.fail('it does not run');
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
    start?.signal('SIGKILL');
    expect(await start?.ended).to.equal('SIGKILL');
    await eventually(() => expect(processesOf(dataDir)).to.deep.equal([]), { timeoutMs: 12_000, everyMs: 200 });
    await readyStart('off');
    expect(await statusOf('/readyz')).to.equal(200);
  });

  it('stops at SIGINT', () => stopsWithin(10_000, 'SIGINT'));

  it('refuses npm run demo:live and demo:cast while it does not run', async () => {
    for (const demo of ['live', 'cast'] as const) {
      const { code, output } = await runDemo(demo);
      expect(code).to.equal(1);
      expect(output).to.match(/^No npm start runs in /);
    }
  });

  it('has a channel for npm run demo:live, which publishes, says where to watch, and ends at Ctrl-C', async () => {
    const running = await readyStart('off');
    const first = await runDemo('live', 'SIGINT');
    expect(first.code, first.output).to.equal(0);
    const address = /Watch at +(\S+\/embed\/\?live=\S+)/.exec(first.output)?.[1] ?? expect.fail(first.output);
    expect((await fetch(address)).status).to.equal(200);
    await running.prints(/publish ended .*reason=unpublished/);
    const second = await runDemo('live', 'SIGINT');
    expect(second.output, 'the channel stays').to.include(address);
    expect(running.output().match(/publish started/g)).to.have.length(2);
  });

  it('has a channel for npm run demo:cast, which programs it, draws its timetable and says where to watch', async () => {
    const first = await runDemo('cast', 'SIGINT');
    expect(first.code, first.output).to.equal(0);
    expect(first.output)
      .to.match(/▶ {2}\d\d:\d\d:\d\d {2}\d\d:\d\d:\d\d {2}\(nothing programmed\) +slate {2}░+ \d:\d\d left/)
      .and.match(/\d\d:\d\d:\d\d {2}\d\d:\d\d:\d\d {2}Evening light +video/);
    const addresses = [...first.output.matchAll(/^ {2}(?:Watch at|VLC, Kodi|Guide) +(\S+)$/gm)].map(
      ([, each]) => each ?? '',
    );
    expect(addresses).to.have.lengthOf(3);
    const [page, list, guide] = await Promise.all(
      addresses.map(async (address) => {
        const response = await fetch(address);
        expect(response.status, address).to.equal(200);
        return response.text();
      }),
    );
    expect(page).to.include('<title>Demo television</title>');
    expect(list).to.include(',Demo television\n');
    expect(guide).to.include('Evening light');
    const playlist = /^http.*$/m.exec(list ?? '')?.[0] ?? expect.fail(list);
    await eventually(async () => expect(await (await fetch(playlist)).text()).to.match(/^#EXTM3U/), {
      timeoutMs: 30_000,
    });
    const second = await runDemo('cast', 'SIGINT');
    expect(second.output, 'the channel stays').to.include(addresses[0]);
    expect(second.output).to.not.match(/Upload/);
  });

  it('stops all processes when its output is closed', async () => {
    const began = performance.now();
    start?.closeOutput();
    // Causes a log line that cannot be written.
    await statusOf('/nowhere');
    expect(await start?.ended).to.equal(0);
    expect(performance.now() - began).to.be.below(12_000);
    expect(processesOf(dataDir)).to.deep.equal([]);
  });

  /** Runs the command until it has printed that the event is on air, or the timetable, then sends it a signal. */
  async function runDemo(
    demo: keyof typeof demos,
    signal?: NodeJS.Signals,
  ): Promise<{ code: number | null; output: string }> {
    const child = spawn(process.execPath, ['--enable-source-maps', demos[demo]], {
      env: { PATH: process.env['PATH'], FFMPEG_PATH: process.env['FFMPEG_PATH'] ?? '', ...settings, DEMO: 'off' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
    watchPrintedWarnings(child.stdout, child.stderr);
    const ended = once(child, 'close') as Promise<[number | null]>;
    if (signal) {
      await eventually(() => expect(output, start?.output()).to.match(/On air|ended|▶/), { timeoutMs: 60_000 });
      child.kill(signal);
    }
    const [code] = await ended;
    return { code, output };
  }
});
