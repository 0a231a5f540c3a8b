import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/processes.js';
import {
  createStartFolder,
  processesOf,
  runDemo,
  runStart,
  type StartedScript,
  type StartFolder,
} from '../support/startScript.js';
import { useFixture } from '../support/fixtures.js';

/** The tests run in order, on one data folder: each continues where the one before it has stopped. */
describe('npm start whose processes are killed', function () {
  this.timeout(180_000);
  const folder = useFixture(createStartFolder);
  let dataDir: string;
  let port: number;
  let settings: StartFolder['settings'];
  let start: StartedScript;
  /** What the first demos printed. */
  let first: readonly string[];

  before(async () => {
    ({ dataDir, port } = folder);
    settings = { ...folder.settings, RTMP_PORT: String(await freePort()) };
    await startAgain();
    first = await runDemos();
  });

  after(async () => {
    start.signal('SIGTERM');
    await start.ended;
    await folder.remove();
  });

  async function startAgain(): Promise<void> {
    start = runStart({ ...settings, DEMO: 'off' });
    await start.prints('Ctrl-C stops everything.');
  }

  async function runDemos(): Promise<readonly string[]> {
    const printed: string[] = [];
    for (const demo of ['live', 'cast'] as const) {
      const { code, output } = await runDemo(demo, settings, 'SIGINT');
      expect(code, output).to.equal(0);
      printed.push(output);
    }
    return printed;
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

  it('has the same channels for the demos as before, and their clips', async () => {
    const addressIn = (output: string): string => /Watch at +(\S+)/.exec(output)?.[1] ?? expect.fail(output);
    const again = await runDemos();
    expect(again.map(addressIn)).to.deep.equal(first.map(addressIn));
    expect(first.join('\n')).to.match(/Upload/);
    expect(again.join('\n')).to.not.match(/Upload/);
    expect(start.output().match(/publish started/g)).to.have.length(1);
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
