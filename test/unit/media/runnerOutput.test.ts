import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { openFfmpegRunner } from '../../../workers/media/ffmpegRunner.js';
import { MediaInterruptedError, type MediaCommand } from '../../../workers/media/runner.js';
import { children, runningTool } from '../../support/childProcesses.js';
import { rejection } from '../../support/rejection.js';
import { fixtureEach } from '../../support/fixtures.js';

const runner = openFfmpegRunner({
  ffmpegPath: process.env['FFMPEG_PATH'] ?? 'ffmpeg',
  ffprobePath: process.env['FFPROBE_PATH'] ?? 'ffprobe',
});

describe('the media runner, while a tool writes', function () {
  this.timeout(30_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runner-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const run = { signal: new AbortController().signal, stallSeconds: 20 };
  /** Raw frames of 6 kB, 25 a second, for so many seconds. */
  const writing = (path: string, seconds = 10_000): MediaCommand => ({
    folder,
    inputs: [{ path: `testsrc2=s=64x64:r=25:d=${seconds}`, options: ['-re', '-f', 'lavfi'] }],
    outputs: [{ path, options: ['-c:v', 'rawvideo', '-pix_fmt', 'yuv420p', '-f', 'matroska'] }],
  });
  /** It handles the signal, because it writes already, and ends with an exit code. */
  const interrupt = async (): Promise<void> => void process.kill(await runningTool(), 'SIGTERM');

  it('hands over what it writes', async () => {
    let bytes = 0;
    const onData = (data: Buffer): undefined => void (bytes += data.length);
    await runner.stream(writing('pipe:1', 1), { ...run, onData });
    expect(bytes).to.be.within(25 * 64 * 64 * 1.5, 25 * 64 * 64 * 1.5 + 5000);
  });

  it('does not take one that ends itself after SIGTERM for one that failed', async () => {
    let interrupting: Promise<void> | undefined;
    const onProgress = ({ frames }: { frames: number }): void => {
      if (frames > 0) interrupting ??= interrupt();
    };
    const error = await rejection(runner.convert(writing('endless.mkv'), { ...run, onProgress }));
    expect(error).to.be.instanceOf(MediaInterruptedError).with.property('message').that.includes('255');
    await interrupting;
  });

  it('does not take output that SIGTERM has cut off for damaged output', async () => {
    for (const takesAll of [true, false]) {
      let isSent = false;
      const onData = async (): Promise<void> => {
        if (isSent && !takesAll) throw new Error('damaged');
        if (!isSent) await interrupt();
        isSent = true;
      };
      const error = await rejection(runner.stream(writing('pipe:1'), { ...run, onData }));
      expect(error, error.message).to.be.instanceOf(MediaInterruptedError);
      expect(await children()).to.deep.equal([]);
    }
  });

  it('ends one whose output is refused', async () => {
    const onData = (): never => {
      throw new Error('damaged');
    };
    expect(await rejection(runner.stream(writing('pipe:1'), { ...run, onData }))).to.have.property(
      'message',
      'damaged',
    );
    expect(await children()).to.deep.equal([]);
  });

  describe('with a clock that the test moves', () => {
    const clock = fixtureEach(() => sinon.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
    afterEach(() => clock.restore());

    it('does not take one that waits for the reader of its output for one that makes no progress', async () => {
      const onData = async (): Promise<void> => {
        await Promise.resolve();
        clock.tick(60_000);
      };
      await runner.stream(writing('pipe:1', 1), { ...run, onData });
    });
  });
});
