import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { countPackets, packetOffsets } from '../../../shared/media/aac/adts.js';
import { readPackets, type CopiedStreams } from '../../../workers/ingestion/copy/readPackets.js';
import { encodeAudio, layOutAudio } from '../../../workers/media/audio.js';
import { openFfmpegRunner } from '../../../workers/media/ffmpegRunner.js';
import { killedWithParent } from '../../../workers/media/killWithParent.js';
import { MachineError, MediaError, MediaInterruptedError, type MediaRunner } from '../../../workers/media/runner.js';
import { verdictOn, type EndedTool } from '../../../workers/media/toolVerdict.js';
import { runningTool } from '../../support/deployment.js';
import { useFixture } from '../../support/fixtures.js';
import { makeClip, runTool } from '../../support/media.js';
import { rejection } from '../../support/eventually.js';
import { itWith, requirements } from '../../support/requirements.js';

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

const run = { signal: new AbortController().signal, stallSeconds: 20 };

describe('the audio of a content', function () {
  this.timeout(30_000);
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audio-'));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  /** Mono samples at 48 kHz. */
  async function decode(path: string): Promise<Int16Array> {
    const decoded = await runTool('ffmpeg', ['-f', 'aac', '-i', path, '-ac', '1', '-f', 's16le', '-']);
    const bytes = Buffer.from(decoded, 'latin1');
    return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  }

  async function bytesOf(body: AsyncIterable<unknown>): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of body) parts.push(part as Buffer);
    return Buffer.concat(parts);
  }

  async function encode(options: readonly string[], originSeconds = 0) {
    const path = await makeClip('mka', [...options, '-c:a', 'pcm_s16le']);
    const source = { path, demuxer: 'matroska', stream: 0, originSeconds, maxSeconds: 60, threads: 0 };
    return encodeAudio(runner, folder, { name: 'audio-0', channels: 2, ...source }, run);
  }

  it('is aligned with the start of the video to the sample, by a cut or by silence', async () => {
    // Silence with a click after exactly one second. The encoder delay is compensated.
    const click = ['-f', 'lavfi', '-i', "aevalsrc='if(between(n,48000,48010),0.9,0)':s=48000:d=2"];
    for (const [originSeconds, sample] of [
      [0, 48_000],
      [0.5, 24_000],
      [-0.5, 72_000],
    ] as const) {
      const samples = await decode((await encode(click, originSeconds)).path);
      const loudest = samples.reduce(
        (best, value, at) => (Math.abs(value) > Math.abs(samples[best] ?? 0) ? at : best),
        0,
      );
      expect(loudest, `from ${originSeconds} s`).to.be.within(sample - 10, sample + 20);
    }
  });

  it('is cut into packets at the start of every chunk, without packets after a broken one', async () => {
    const audio = await encode(['-f', 'lavfi', '-i', 'sine=f=500:r=48000:d=3']);
    const bytes = await readFile(audio.path);
    expect(await countPackets(audio.path))
      .to.equal(audio.packets)
      .and.to.be.within(139, 143);
    const offsets = await packetOffsets(audio.path, [0, 1, 50, audio.packets, 9999]);
    expect(offsets[0]).to.equal(0);
    expect(offsets.slice(3)).to.deep.equal([bytes.length, bytes.length]);
    for (const offset of offsets.slice(0, 3)) expect(bytes.readUInt16BE(offset) & 0xfff0).to.equal(0xfff0);
    const broken = join(folder, 'broken.aac');
    const end = offsets[2] ?? 0;
    await writeFile(broken, Buffer.concat([bytes.subarray(0, end), Buffer.from('broken'), bytes.subarray(end)]));
    expect(await countPackets(broken)).to.equal(50);
  });

  it('ends at the packet in which the video ends, by a cut, added silence, or silence only', async () => {
    const audio = await encode(['-f', 'lavfi', '-i', 'sine=f=500:r=48000:d=1']);
    for (const [supplied, packets] of [
      [audio, 20],
      [audio, 300],
      [null, 100],
      [audio, audio.packets],
    ] as const) {
      const starts = [0, 10, Math.floor(packets / 2), packets];
      const { body, offsets } = await layOutAudio(runner, folder, supplied, { packets, starts, channels: 2 }, run);
      const path = join(folder, 'laid-out.aac');
      const bytes = await bytesOf(body);
      await writeFile(path, bytes);
      expect(await countPackets(path)).to.equal(packets);
      expect(offsets).to.deep.equal(await packetOffsets(path, starts));
      expect(offsets.at(-1)).to.equal(bytes.length);
      await runTool('ffmpeg', ['-xerror', '-f', 'aac', '-i', path, '-f', 'null', '-']);
    }
  });
});

describe('a program that ends with this process', () => {
  const output = (command: readonly [string, ...string[]], ...parameters: string[]): string =>
    spawnSync(command[0], [...command.slice(1), ...parameters], { encoding: 'utf8' }).stdout;

  it('runs as a child of this process', () => {
    expect(output(killedWithParent('echo'), 'one', 'two words')).to.equal('one two words\n');
  });

  itWith(requirements.setpriv, 'is not started if its parent has ended before the kernel watches it', function () {
    const command = killedWithParent('echo');
    // The shell starts the program as its own child, so this process is not its parent.
    expect(output(['sh', '-c', '"$@"; echo "exit code $?"', 'sh', ...command, 'started'])).to.equal('exit code 1\n');
  });
});

describe('the packets that ffprobe lists', () => {
  /** Two seconds of both streams. The audio has index 0; its first packet may have side data, which is a separate line. */
  function listed(additional: string): string[] {
    const ofAudio = Array.from({ length: 94 }, (_, packet) => {
      const line = `0,${packet * 1024},${packet * 1024},1024,300,K_`;
      return packet === 50 && additional ? [`${line},${additional}`, ''] : [line];
    });
    const ofVideo = Array.from(
      { length: 50 },
      (_, frame) => `1,${frame * 40},${frame * 40},40,1000,${frame ? '__' : 'K_'}`,
    );
    return [...ofVideo, ...ofAudio.flat()];
  }

  function read(lines: readonly string[]) {
    const inspect: MediaRunner['inspect'] = async (_options, { onLine }) => lines.forEach((line) => onLine(line));
    const video = { index: 1, timeBase: 1 / 1000, coded: { isReordered: false } };
    const audio = { index: 0, timeBase: 1 / 48_000, sampleRate: 48_000 };
    const streams = { demuxer: 'matroska', video, audio } as CopiedStreams;
    const source = { address: 'file:a', protocols: 'file' } as const;
    return readPackets({ inspect } as MediaRunner, source, streams, { ...run, maxDurationSeconds: 60 });
  }

  it('include all packets of their stream', async () => {
    for (const additional of ['', 'Skip Samples']) {
      const index = await read(listed(additional));
      expect(index).to.have.nested.property('video.frames', 50);
      expect(index).to.have.nested.property('audio.isContinuous', true);
      expect(index).to.have.nested.property('audio.durationSeconds').that.is.closeTo(2.005, 0.001);
    }
  });

  it('are not copied if the decoder configuration changes: the audio is encoded', async () => {
    const index = await read(listed('New Extradata'));
    expect(index).to.have.nested.property('audio.isContinuous', false);
    expect(index).to.have.nested.property('audio.durationSeconds').that.is.closeTo(2.005, 0.001);
  });
});
