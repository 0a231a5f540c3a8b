import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually, slowness } from '../support/eventually.js';
import { openProgramFolder, readmeExample, runPrinted, type PrintedLanguage } from '../support/clientProgram.js';
import {
  createStartFolder,
  processesOf,
  runDemo,
  runStart,
  type StartedScript,
  type StartFolder,
} from '../support/startScript.js';
import { useFixture } from '../support/fixtures.js';
import { itWith, requirements } from '../support/requirements.js';
import { printedBlocks } from '../support/projectFile.js';

/**
 * The tests run in order on one data folder: each continues where the previous one has stopped. `.ci/run` runs them with only the
 * programs that README requires.
 */
describe('npm start', function () {
  this.timeout(180_000);
  const folder = useFixture(createStartFolder);
  let dataDir: string;
  let port: number;
  let settings: StartFolder['settings'];
  let start: StartedScript | undefined;
  /** The credentials of the first start. */
  let credentials: string;
  let encoder: string;
  let demoAddress: string;
  /** The output of the first demos. */
  const demos: string[] = [];

  before(async () => {
    ({ dataDir, port, settings } = folder);
  });

  after(async () => {
    start?.signal('SIGTERM');
    await start?.ended;
    await folder.remove();
  });

  async function readyStart(timeoutMs?: number): Promise<StartedScript> {
    start = runStart({ ...settings, DEMO: 'on', OUTGOING_ALLOWED_NETWORKS: '127.0.0.1' });
    await start.prints('Ctrl-C stops everything.', timeoutMs);
    return start;
  }

  /** The variables that the first printed command exports. */
  const exported: Record<string, string> = {};
  const readCredentials = (): Promise<string> => readFile(join(dataDir, 'credentials.json'), 'utf8');

  /** 0 if there is no response. */
  async function statusOf(path: string): Promise<number> {
    return fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => 0,
    );
  }

  it('uploads and publishes a sample clip, which plays after its copy, and prints working commands', async () => {
    const output = (await readyStart(150_000)).output();
    expect(output).to.match(/Upload 100 %/);
    demoAddress = /Plays at +(\S+)/.exec(output)?.[1] ?? expect.fail(output);
    expect((await fetch(demoAddress)).status).to.equal(200);
    const commands = output.split('\n').filter((line) => /^ {2}(export |TOKEN=|BOX=|VOD=|curl|while|echo)/.test(line));
    expect(commands).to.have.lengthOf(8);
    for (const [, name = '', value = ''] of (commands[0] ?? '').matchAll(/(\w+)='([^']*)'/g)) exported[name] = value;
    const printed = (await runPrinted('sh', commands.join('\necho\n'))).split('\n').filter((line) => line !== '');
    expect(JSON.parse(printed[0] ?? '')).to.have.property('totalCount', 1);
    expect(JSON.parse(printed[1] ?? '')).to.have.property('result', 'PLAY');
    expect((await fetch(printed.at(-1) ?? '')).status).to.equal(200);
  });

  async function runExamples(language: PrintedLanguage): Promise<string> {
    return runPrinted(language, await protocolExamples(language), exported);
  }
  const embedded = /^<iframe src="\S+\/embed\/\?vod=\S{36}"/;

  it('runs the curl and JavaScript examples of docs/integrate.md as printed', async () => {
    expect(await runExamples('sh')).to.match(
      /embed\/\?vod=\S{36}"[^]*"itemCount":1[^]*PAYMENT_REQUIRED\s+http\S+\.m3u8\s+\{[^\n]*"language":"en"[^\n]*\n+\{"chapters"[^\n]*"The sea"[^\n]*\n+\{"tracks"[^\n]*"Italiano"[^\n]*\s+$/,
    );
    const printed = await runExamples('js');
    expect(printed).to.match(embedded);
    expect(printed).to.match(/\ncontent\.ready The other river READY\n$/);
  });

  itWith(requirements.python, 'runs the Python examples of docs/integrate.md', async () => {
    expect(await runExamples('python')).to.match(embedded);
  });

  it('runs the README example in an empty folder with the service’s client package', async () => {
    const { installation, program } = await readmeExample();
    const empty = await openProgramFolder();
    try {
      await empty.run('sh', installation, exported);
      const streamer = await empty.run('js', program, exported);
      expect(await (await fetch(streamer.trim())).text()).to.match(/^#EXTM3U/);
    } finally {
      await empty.close();
    }
  });

  it('serves requests, protects its credentials, and stops at SIGINT without leaving a process behind', async () => {
    expect(await statusOf('/healthz')).to.equal(200);
    credentials = await readCredentials();
    expect((await stat(join(dataDir, 'credentials.json'))).mode & 0o777).to.equal(0o600);
    encoder = encoderAddress();
    const began = performance.now();
    start?.signal('SIGINT');
    start?.signal('SIGINT');
    expect(await start?.ended, start?.output()).to.equal(0);
    expect(performance.now() - began).to.be.below(10_000 * slowness);
    expect(processesOf(dataDir)).to.deep.equal([]);
  });

  it('makes npm run demo:live and demo:cast fail while it is not running', async () => {
    for (const demo of ['live', 'cast'] as const) {
      const { code, output } = await runDemo(demo, settings);
      expect(code).to.equal(1);
      expect(output).to.match(/^No npm start runs in /);
    }
  });

  it('keeps data and credentials across a restart', async () => {
    const again = await readyStart();
    expect(await readCredentials()).to.equal(credentials);
    expect(again.output())
      .to.include(demoAddress)
      .and.not.match(/Upload \d/)
      .and.not.include('Migrations applied');
    expect(encoderAddress()).to.equal(encoder);
  });

  /** The printed port, on which the live process listens. */
  function encoderAddress(): string {
    const output = start?.output() ?? '';
    const [, address, rtmpPort] = /Encoder +(rtmp:\/\/127\.0\.0\.1:(\d+)\/live) /.exec(output) ?? expect.fail(output);
    expect(output).to.match(new RegExp(`live +.*RTMP server listening.* port=${rtmpPort}`));
    return address as string;
  }

  const watchAddressIn = (output = ''): string => /Watch at +(\S+)/.exec(output)?.[1] ?? expect.fail(output);
  const running = (): StartedScript => start ?? expect.fail('it does not run');

  async function playDemo(demo: 'live' | 'cast'): Promise<string> {
    const { code, output } = await runDemo(demo, settings, 'SIGINT');
    expect(code, output).to.equal(0);
    return output;
  }

  it('has a channel for npm run demo:live, which publishes, prints the watch address, and ends at Ctrl-C', async () => {
    demos.push(await playDemo('live'));
    const address = watchAddressIn(demos[0]);
    expect(address).to.include('/embed/?live=');
    expect((await fetch(address)).status).to.equal(200);
    await running().prints(/publish ended .*reason=unpublished/);
  });

  it('has a channel for npm run demo:cast, which programs it, draws its timetable, and prints the watch address', async () => {
    const output = await playDemo('cast');
    demos.push(output);
    expect(output)
      .to.match(/▶ {2}\d\d:\d\d:\d\d {2}\d\d:\d\d:\d\d {2}\(nothing programmed\) +slate {2}░+ \d:\d\d left/)
      .and.match(/\d\d:\d\d:\d\d {2}\d\d:\d\d:\d\d {2}Evening light +video/);
    const addresses = [...output.matchAll(/^ {2}(?:Watch at|VLC, Kodi|Guide) +(\S+)$/gm)].map(([, each]) => each ?? '');
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
  });

  const readiness = (): Promise<number> => statusOf('/readyz');

  /** The pid of the oldest process of this start whose command line matches. */
  function pidOf(pattern: RegExp): number {
    const found = processesOf(dataDir).find(({ command }) => pattern.test(command));
    return found?.pid ?? expect.fail(`no ${pattern.source}`);
  }

  it('restarts the killed clock, database server, and parent process of the database', async () => {
    process.kill(pidOf(/workers\/clock\.js/), 'SIGKILL');
    await running().prints('clock has ended (SIGKILL) and restarts in 0.5 s.');
    await eventually(() => pidOf(/workers\/clock\.js/));

    for (const [deaths, victim] of [
      [1, /^\S+bin\/postgres -D/],
      [2, /postgresProcess\.js/],
    ] as const) {
      process.kill(pidOf(victim), 'SIGKILL');
      await running().prints(new RegExp(`(PostgreSQL has ended [^]*){${deaths}}`));
      await eventually(async () => expect(await readiness(), running().output()).to.equal(200), { timeoutMs: 30_000 });
    }
  });

  it('leaves no process behind when it is killed, and can be restarted', async () => {
    running().signal('SIGKILL');
    expect(await running().ended).to.equal('SIGKILL');
    await eventually(() => expect(processesOf(dataDir)).to.deep.equal([]), { timeoutMs: 12_000, everyMs: 200 });
    await readyStart();
    expect(await readiness()).to.equal(200);
  });

  it('keeps the demo channels and their clips', async () => {
    const again = [await playDemo('live'), await playDemo('cast')];
    expect(again.map(watchAddressIn)).to.deep.equal(demos.map(watchAddressIn));
    expect(demos.join('\n')).to.match(/Upload/);
    expect(again.join('\n')).to.not.match(/Upload/);
    expect(
      running()
        .output()
        .match(/publish started/g),
    ).to.have.length(1);
  });

  it('stops all processes if its output is closed', async () => {
    const began = performance.now();
    start?.closeOutput();
    // Causes a log line that cannot be written.
    await statusOf('/nowhere');
    expect(await start?.ended).to.equal(0);
    expect(performance.now() - began).to.be.below(12_000 * slowness);
    expect(processesOf(dataDir)).to.deep.equal([]);
  });
});

/** The code blocks of one language in `docs/integrate.md` up to the reference, in order. */
async function protocolExamples(language: PrintedLanguage): Promise<string> {
  return (await printedBlocks('integrate', language, '\n## Before the first call\n')).join('\n');
}
