import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import sinon from 'sinon';
import { openFfmpegRunner } from '../../../workers/media/ffmpegRunner.js';
import { isMediaFailure, MediaError, MediaInterruptedError, type MediaCommand } from '../../../workers/media/runner.js';
import { childrenOf, runningTool } from '../../support/deployment.js';
import { eventually, rejection } from '../../support/eventually.js';
import { fixtureEach } from '../../support/fixtures.js';

const runner = openFfmpegRunner({
  ffmpegPath: process.env['FFMPEG_PATH'] ?? 'ffmpeg',
  ffprobePath: process.env['FFPROBE_PATH'] ?? 'ffprobe',
});

describe('the media runner', function () {
  this.timeout(30_000);
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runner-'));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  const endless = (): MediaCommand => ({
    folder,
    inputs: [{ path: 'testsrc2=s=64x64:r=25', options: ['-re', '-f', 'lavfi'] }],
    outputs: [{ path: 'endless.mkv', options: ['-c:v', 'rawvideo', '-f', 'matroska'] }],
  });
  const run = { signal: new AbortController().signal, stallSeconds: 20 };

  it('writes a file and reports its progress', async () => {
    const seen: number[] = [];
    await runner.convert(
      {
        folder,
        inputs: [{ path: 'testsrc2=s=64x64:r=25:d=1', options: ['-f', 'lavfi'] }],
        outputs: [{ path: 'a name with spaces & $signs.mkv', options: ['-c:v', 'ffv1', '-f', 'matroska'] }],
      },
      { ...run, onProgress: ({ frames }) => seen.push(frames) },
    );
    expect(await readdir(folder)).to.include('a name with spaces & $signs.mkv');
    expect(seen.at(-1)).to.equal(25);
  });

  it('reports the error output of the tool', async () => {
    await writeFile(join(folder, 'damaged.mp4'), 'no film');
    const command = { ...endless(), inputs: [{ path: 'file:damaged.mp4', options: ['-f', 'mov'] }] };
    const error = await rejection(runner.convert(command, run));
    expect(error).to.be.instanceOf(MediaError).with.property('message').that.includes('moov atom not found');
  });

  it('reports a missing tool or folder as an error of the machine, not of the media', async () => {
    const lost = openFfmpegRunner({ ffmpegPath: 'ffmpeg', ffprobePath: '/nowhere/ffprobe' });
    for (const error of [
      await rejection(lost.inspect(['-version'], { ...run, onLine: () => {} })),
      await rejection(runner.convert({ ...endless(), folder: '/nowhere' }, run)),
    ])
      expect(error).to.be.instanceOf(Error).and.not.instanceOf(MediaError);
  });

  it('stops the tool on abort and leaves no process behind', async () => {
    const controller = new AbortController();
    const running = runner.convert(endless(), { ...run, signal: controller.signal });
    await runningTool();
    controller.abort(new Error('aborted by the test'));
    expect(await rejection(running)).to.have.property('message', 'aborted by the test');
    expect(childrenOf(process.pid)).to.deep.equal([]);
    const aborted = { ...run, signal: AbortSignal.abort(new Error('too late')) };
    expect(await rejection(runner.convert(endless(), aborted)), 'before the start').to.have.property(
      'message',
      'too late',
    );
  });

  it('stops a tool that makes no progress', async () => {
    const pipe = join(folder, 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const command = { ...endless(), inputs: [{ path: `file:${pipe}`, options: ['-f', 'mov'] }] };
    const stalling = { ...run, stallSeconds: 1, onLine: () => {} };
    for (const error of await Promise.all([
      rejection(runner.convert(command, stalling)),
      rejection(runner.inspect(['-f', 'mov', `file:${pipe}`], stalling)),
    ]))
      expect(error).to.be.instanceOf(MediaError).with.property('message').that.includes('no progress');
    expect(childrenOf(process.pid)).to.deep.equal([]);
  });

  it('stops a tool that exceeds its processor time', async () => {
    const busy = { ...endless(), inputs: [{ path: 'testsrc2=s=1280x720:r=25', options: ['-f', 'lavfi'] }] };
    const error = await rejection(runner.convert(busy, { ...run, maxProcessorSeconds: 0.2 }));
    expect(isMediaFailure(error), String(error)).to.equal(true);
    expect(error).to.have.property('message').that.includes('processor time');
    expect(childrenOf(process.pid)).to.deep.equal([]);
  });

  it('distinguishes a tool that was killed from one that failed', async () => {
    const running = runner.convert(endless(), run);
    process.kill(await runningTool(), 'SIGTERM');
    expect(await rejection(running)).to.be.instanceOf(MediaInterruptedError);
    const shutdown = new AbortController();
    const ending = runner.convert(endless(), { ...run, signal: shutdown.signal });
    process.kill(await runningTool(), 'SIGTERM');
    setTimeout(() => shutdown.abort(new Error('the process ends')), 100);
    expect(await rejection(ending), 'followed by a shutdown').to.have.property('message', 'the process ends');
  });

  it('passes no secrets to its tools and runs them at the lowest or the requested priority', async () => {
    process.env['SECRET_OF_OURS'] = 'secret';
    const controller = new AbortController();
    const running = runner.convert(endless(), { ...run, signal: controller.signal });
    const pid = await runningTool();
    // Empty until the forked process has executed the tool.
    const environment = await eventually(async () => {
      const found = await readFile(`/proc/${pid}/environ`, 'utf8');
      expect(found).to.not.equal('');
      return found;
    });
    const priorityOf = async (id: number) =>
      Number((await readFile(`/proc/${id}/stat`, 'utf8')).split(') ')[1]?.split(' ')[16]);
    expect(await priorityOf(pid)).to.be.at.least(15);
    controller.abort(new Error('seen'));
    await running.catch(() => {});
    delete process.env['SECRET_OF_OURS'];
    expect(
      environment
        .split('\0')
        .map((pair) => pair.split('=')[0])
        // The shell that checks the parent adds PWD, which a tool can read anyway.
        .filter((name) => name !== '' && name !== 'PWD'),
    ).to.have.members(['PATH', 'LD_LIBRARY_PATH'].filter((name) => process.env[name]));
    const stop = new AbortController();
    const kinder = runner.convert(endless(), { ...run, signal: stop.signal, niceness: 5 });
    const other = await runningTool();
    await eventually(async () => expect(await priorityOf(other)).to.equal(Math.min(19, getPriority() + 5)));
    stop.abort(new Error('seen'));
    await kinder.catch(() => {});
  });

  it('stops an inspection when its reader throws', async () => {
    const onLine = (): never => {
      throw new Error('enough');
    };
    const options = ['-f', 'lavfi', 'testsrc2=s=16x16:d=10000', '-show_frames', '-of', 'csv'];
    expect(await rejection(runner.inspect(options, { ...run, onLine }))).to.have.property('message', 'enough');
    expect(childrenOf(process.pid)).to.deep.equal([]);
  });

  /** Raw frames of 6 kB, 25 per second, for this number of seconds. */
  const writing = (path: string, seconds = 10_000): MediaCommand => ({
    folder,
    inputs: [{ path: `testsrc2=s=64x64:r=25:d=${seconds}`, options: ['-re', '-f', 'lavfi'] }],
    outputs: [{ path, options: ['-c:v', 'rawvideo', '-pix_fmt', 'yuv420p', '-f', 'matroska'] }],
  });
  /** The tool has installed its signal handler, because it already writes output, and therefore ends with an exit code. */
  const interrupt = async (): Promise<void> => void process.kill(await runningTool(), 'SIGTERM');

  it('passes the output of the tool to its caller', async () => {
    let bytes = 0;
    const onData = (data: Buffer): undefined => void (bytes += data.length);
    await runner.stream(writing('pipe:1', 1), { ...run, onData });
    expect(bytes).to.be.within(25 * 64 * 64 * 1.5, 25 * 64 * 64 * 1.5 + 5000);
  });

  it('reports a tool that exits after SIGTERM as interrupted, not as failed', async () => {
    let interrupting: Promise<void> | undefined;
    const onProgress = ({ frames }: { frames: number }): void => {
      if (frames > 0) interrupting ??= interrupt();
    };
    const error = await rejection(runner.convert(writing('endless.mkv'), { ...run, onProgress }));
    expect(error).to.be.instanceOf(MediaInterruptedError).with.property('message').that.includes('255');
    await interrupting;
  });

  it('reports output that SIGTERM has truncated as interrupted, not as damaged', async () => {
    for (const takesAll of [true, false]) {
      let isSent = false;
      const onData = async (): Promise<void> => {
        if (isSent && !takesAll) throw new Error('damaged');
        if (!isSent) await interrupt();
        isSent = true;
      };
      const error = await rejection(runner.stream(writing('pipe:1'), { ...run, onData }));
      expect(error, error.message).to.be.instanceOf(MediaInterruptedError);
      expect(childrenOf(process.pid)).to.deep.equal([]);
    }
  });

  it('stops a tool whose output its caller rejects', async () => {
    const onData = (): never => {
      throw new Error('damaged');
    };
    expect(await rejection(runner.stream(writing('pipe:1'), { ...run, onData }))).to.have.property(
      'message',
      'damaged',
    );
    expect(childrenOf(process.pid)).to.deep.equal([]);
  });

  describe('under a simulated clock', () => {
    const clock = fixtureEach(() => sinon.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
    afterEach(() => clock.restore());

    it('does not stop a tool that waits for the reader of its output', async () => {
      const onData = async (): Promise<void> => {
        await Promise.resolve();
        clock.tick(60_000);
      };
      await runner.stream(writing('pipe:1', 1), { ...run, onData });
    });
  });
});
