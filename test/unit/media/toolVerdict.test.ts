import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openFfmpegRunner } from '../../../workers/media/ffmpegRunner.js';
import { MachineError, MediaError, MediaInterruptedError } from '../../../workers/media/runner.js';
import { verdictOn, type EndedTool } from '../../../workers/media/toolVerdict.js';
import { runningTool } from '../../support/childProcesses.js';
import { useFixture } from '../../support/fixtures.js';
import { rejection } from '../../support/rejection.js';

const { signal } = new AbortController();
const runner = openFfmpegRunner({
  ffmpegPath: process.env['FFMPEG_PATH'] ?? 'ffmpeg',
  ffprobePath: process.env['FFPROBE_PATH'] ?? 'ffprobe',
});

describe('the verdict on a tool that has ended', function () {
  this.timeout(60_000);
  const work = useFixture(
    async () => ({ folder: await mkdtemp(join(tmpdir(), 'verdict-')) }),
    ({ folder }) => rm(folder, { recursive: true }),
  );

  const ended = (how: Partial<EndedTool>): Promise<Error | null> =>
    verdictOn({ tool: 'ffmpeg', code: 1, killedBy: null, said: '', inputs: [], signal, ...how });
  const codeOf = async (how: Partial<EndedTool>): Promise<string | null> => {
    const verdict = await ended(how);
    return verdict instanceof MachineError ? verdict.code : verdict && verdict.constructor.name;
  };
  const spaceWords = 'Error writing trailer of a.aac: No space left on device';

  it('recognises a shutdown from the signal or the exit code, but not an error with the same code', async () => {
    for (const how of [{ code: null, killedBy: 'SIGTERM' }, { code: null, killedBy: 'SIGINT' }, { code: 255 }])
      expect(await ended(how)).to.be.instanceOf(MediaInterruptedError);
    expect(await codeOf({ code: 255, said: 'Error opening file: Operation not permitted' })).to.equal('MediaError');
  });

  it('blames the media for an exit code and for a crash', async () => {
    expect(await codeOf({})).to.equal('MediaError');
    expect(await codeOf({ code: null, killedBy: 'SIGSEGV' })).to.equal('MediaError');
    expect(await codeOf({ code: 0 })).to.equal(null);
  });

  it('blames the machine for any other signal', async () => {
    expect(await codeOf({ code: null, killedBy: 'SIGKILL' })).to.equal('SIGKILL');
    expect(await codeOf({ code: null, killedBy: 'SIGBUS' })).to.equal('SIGBUS');
  });

  it('rejects output after a reported full disk, even with exit code 0', async () => {
    const { folder } = work;
    for (const code of [0, 1]) {
      expect(await codeOf({ code, said: spaceWords, folder, lowestFreeBytes: 1024 ** 2 })).to.equal('ENOSPC');
      expect(await codeOf({ code, folder, lowestFreeBytes: 1024 })).to.equal('ENOSPC');
    }
  });

  it('does not accept the message alone as proof of a full disk, because the file may contain it', async () => {
    expect(await codeOf({ said: spaceWords, folder: work.folder })).to.equal('unproven ENOSPC');
    expect(await codeOf({ said: spaceWords })).to.equal('MediaError');
  });

  it('blames the machine if it lacks file descriptors or memory', async () => {
    expect(await codeOf({ said: 'file:a.mp4: Too many open files' })).to.equal('EMFILE');
    // The machine has enough memory: the demuxer has exceeded its own limit.
    expect(await codeOf({ said: 'file:a.mp4: Cannot allocate memory' })).to.equal('MediaError');
  });

  it('blames the machine for a source that cannot be opened or read', async () => {
    const { folder } = work;
    await writeFile(join(folder, 'damaged.mp4'), 'no film');
    const said = 'Input/output error';
    expect(await codeOf({ folder, inputs: ['lost.mp4'] })).to.equal('ENOENT');
    expect(await codeOf({ folder, inputs: ['damaged.mp4'], said })).to.equal('MediaError');
    const convert = (path: string): Promise<Error> =>
      rejection(
        runner.convert(
          {
            folder,
            inputs: [{ path, options: ['-f', 'mp3'] }],
            outputs: [{ path: 'a.wav', options: ['-f', 'wav'] }],
          },
          { signal },
        ),
      );
    expect(await convert('file:lost.mp4')).to.be.instanceOf(MachineError);
    expect(await convert('file:damaged.mp4')).to.be.instanceOf(MediaError);
    // On every Linux, reading this file fails with EIO.
    if (process.platform !== 'linux') return;
    expect(await convert('file:/proc/self/mem')).to.have.property('code', 'EIO');
    const inspected = runner.inspect(['-f', 'mp3', 'file:/proc/self/mem'], { signal, onLine() {} });
    expect(await rejection(inspected)).to.have.property('code', 'EIO');
  });

  it('blames the machine for a tool that the kernel has killed', async () => {
    const running = runner.convert(
      {
        folder: work.folder,
        inputs: [{ path: 'testsrc2=s=64x64:r=25', options: ['-re', '-f', 'lavfi'] }],
        outputs: [{ path: 'endless.mkv', options: ['-c:v', 'rawvideo', '-f', 'matroska'] }],
      },
      { signal },
    );
    process.kill(await runningTool(), 'SIGKILL');
    expect(await rejection(running))
      .to.be.instanceOf(MachineError)
      .with.property('code', 'SIGKILL');
  });
});
