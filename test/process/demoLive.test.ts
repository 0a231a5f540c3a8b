import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/processes.js';
import { runStart, type StartedScript } from '../support/startScript.js';

const script = fileURLToPath(new URL('../../scripts/demo/live/main.js', import.meta.url));

describe('npm run demo:live', function () {
  this.timeout(180_000);
  let dataDir: string;
  let env: Record<string, string>;
  let start: StartedScript | undefined;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'video-platform-demo-live-'));
    const port = String(await freePort());
    env = { DATA_DIR: dataDir, PORT: port, DEMO: 'off', LIVE_RENDITIONS: '240', LIVE_PRESET: 'ultrafast' };
  });
  after(async () => {
    start?.signal('SIGTERM');
    await start?.ended;
    await rm(await realpath(join(dataDir, 'postgres')), { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Runs the command until it has printed that the event is on air, then sends it a signal. */
  async function demo(signal?: NodeJS.Signals): Promise<{ code: number | null; output: string }> {
    const child = spawn(process.execPath, ['--enable-source-maps', script], {
      env: { PATH: process.env['PATH'], FFMPEG_PATH: process.env['FFMPEG_PATH'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
    const ended = once(child, 'close') as Promise<[number | null]>;
    if (signal) {
      await eventually(() => expect(output, start?.output()).to.match(/On air|ended/), { timeoutMs: 60_000 });
      child.kill(signal);
    }
    const [code] = await ended;
    return { code, output };
  }

  it('needs a running service', async () => {
    const { code, output } = await demo();
    expect(code).to.equal(1);
    expect(output).to.match(/^No npm start runs in /);
  });

  it('publishes to the channel of the demo user, says where to watch, and ends at Ctrl-C; the channel stays', async () => {
    start = runStart(env);
    await start.prints('Ctrl-C stops everything.');
    const first = await demo('SIGINT');
    expect(first.code, first.output).to.equal(0);
    const address = /Watch at +(\S+\/embed\/\?live=\S+)/.exec(first.output)?.[1] ?? expect.fail(first.output);
    expect((await fetch(address)).status).to.equal(200);
    await start.prints(/publish ended .*reason=unpublished/);
    const second = await demo('SIGINT');
    expect(second.output).to.include(address);
    expect(start.output().match(/publish started/g)).to.have.length(2);
  });
});
