import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/processes.js';
import { processesOf, runDemo, runStart, type StartedScript } from '../support/startScript.js';

/** The tests run in order, on one data folder: each continues where the one before it has stopped. */
describe('npm start whose processes are killed', function () {
  this.timeout(180_000);
  let dataDir: string;
  let port: number;
  let settings: Record<string, string>;
  let start: StartedScript;
  /** The pages of the two demos. */
  let watchAddresses: readonly string[];

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'video-platform-start-'));
    port = await freePort();
    const fast = { ENCODER_PRESET: 'ultrafast', LIVE_RENDITIONS: '240', LIVE_PRESET: 'ultrafast' };
    settings = {
      DATA_DIR: dataDir,
      PORT: String(port),
      RTMP_PORT: String(await freePort()),
      DEMO_CLIP_SECONDS: '2',
      ...fast,
    };
    await startAgain();
    watchAddresses = await runDemos();
  });

  after(async () => {
    start.signal('SIGTERM');
    await start.ended;
    const database = await realpath(join(dataDir, 'postgres'));
    await rm(database, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  });

  async function startAgain(): Promise<void> {
    start = runStart({ ...settings, DEMO: 'off' });
    await start.prints('Ctrl-C stops everything.');
  }

  async function runDemos(): Promise<readonly string[]> {
    const addresses: string[] = [];
    for (const demo of ['live', 'cast'] as const) {
      const { output } = await runDemo(demo, settings, 'SIGINT');
      addresses.push(/Watch at +(\S+)/.exec(output)?.[1] ?? expect.fail(output));
    }
    return addresses;
  }

  /** 0 if there is no response. */
  const readiness = (): Promise<number> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );

  /** The pid of our oldest process whose command line matches. */
  function pidOf(pattern: RegExp): number {
    const found = processesOf(dataDir).find(({ command }) => pattern.test(command));
    if (!found) throw new Error(`there is no ${pattern.source}`);
    return found.pid;
  }

  it('starts each of them again: clock, server of the database, and the process around it', async () => {
    process.kill(pidOf(/workers\/clock\.js/), 'SIGKILL');
    await start.prints('clock has ended (SIGKILL) and starts again in 0.5 s.');
    await eventually(() => pidOf(/workers\/clock\.js/));

    for (const [deaths, victim] of [
      [1, /^\S+bin\/postgres -D/],
      [2, /postgresProcess\.js/],
    ] as const) {
      process.kill(pidOf(victim), 'SIGKILL');
      await start.prints(new RegExp(`(PostgreSQL has ended [^]*){${deaths}}`));
      await eventually(async () => expect(await readiness(), start.output()).to.equal(200), { timeoutMs: 30_000 });
    }
  });

  it('leaves no process running when it is killed itself, and can be started again', async () => {
    start.signal('SIGKILL');
    expect(await start.ended).to.equal('SIGKILL');
    await eventually(() => expect(processesOf(dataDir)).to.deep.equal([]), { timeoutMs: 12_000, everyMs: 200 });
    await startAgain();
    expect(await readiness()).to.equal(200);
  });

  it('has the same channels for the demos as before', async () => {
    expect(await runDemos()).to.deep.equal(watchAddresses);
    expect(start.output()).to.match(/publish started/);
  });

  it('stops at SIGINT', async () => {
    const began = performance.now();
    start.signal('SIGINT');
    start.signal('SIGINT');
    expect(await start.ended, start.output()).to.equal(0);
    expect(performance.now() - began).to.be.below(10_000);
    expect(processesOf(dataDir)).to.deep.equal([]);
  });
});
