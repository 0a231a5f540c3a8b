import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { countPackets, packetOffsets } from '../../../shared/media/aac/adts.js';
import { encodeAudio, layOutAudio } from '../../../workers/media/audio.js';
import { openFfmpegRunner } from '../../../workers/media/ffmpegRunner.js';
import { makeClip, runTool } from '../../support/media.js';

const runner = openFfmpegRunner({
  ffmpegPath: process.env['FFMPEG_PATH'] ?? 'ffmpeg',
  ffprobePath: process.env['FFPROBE_PATH'] ?? 'ffprobe',
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
    const bytes = Buffer.from(
      await runTool('ffmpeg', ['-f', 'aac', '-i', path, '-ac', '1', '-f', 's16le', '-']),
      'latin1',
    );
    return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  }

  async function bytesOf(body: AsyncIterable<unknown>): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of body) parts.push(part as Buffer);
    return Buffer.concat(parts);
  }

  async function encode(options: readonly string[], originSeconds = 0) {
    const path = await makeClip('mka', [...options, '-c:a', 'pcm_s16le']);
    return encodeAudio(
      runner,
      folder,
      {
        ...{ name: 'audio-0', channels: 2 },
        path,
        demuxer: 'matroska',
        stream: 0,
        originSeconds,
        maximumSeconds: 60,
        threads: 0,
      },
      run,
    );
  }

  it('is at its time to the sample: the delay of the encoder is compensated', async () => {
    // Silence, and a click after exactly one second.
    const audio = await encode(['-f', 'lavfi', '-i', "aevalsrc='if(between(n,48000,48010),0.9,0)':s=48000:d=2"]);
    const samples = await decode(audio.path);
    const loudest = samples.reduce(
      (best, value, index) => (Math.abs(value) > Math.abs(samples[best] ?? 0) ? index : best),
      0,
    );
    expect(loudest).to.be.within(47_990, 48_020);
  });

  it('begins later where the video does, and is filled with silence where it begins late', async () => {
    const click = ['-f', 'lavfi', '-i', "aevalsrc='if(between(n,48000,48010),0.9,0)':s=48000:d=2"];
    const loudest = (samples: Int16Array): number =>
      samples.reduce((best, value, index) => (Math.abs(value) > Math.abs(samples[best] ?? 0) ? index : best), 0);
    expect(loudest(await decode((await encode(click, 0.5)).path))).to.be.within(23_990, 24_020);
    expect(loudest(await decode((await encode(click, -0.5)).path))).to.be.within(71_990, 72_020);
  });

  it('is cut into packets at the start of every chunk', async () => {
    const audio = await encode(['-f', 'lavfi', '-i', 'sine=f=500:r=48000:d=3']);
    const bytes = await readFile(audio.path);
    expect(await countPackets(audio.path))
      .to.equal(audio.packets)
      .and.to.be.within(139, 143);
    const offsets = await packetOffsets(audio.path, [0, 1, 50, audio.packets, 9999]);
    expect(offsets[0]).to.equal(0);
    expect(offsets.slice(3)).to.deep.equal([bytes.length, bytes.length]);
    for (const offset of offsets.slice(0, 3)) expect(bytes.readUInt16BE(offset) & 0xfff0).to.equal(0xfff0);
  });

  it('ends at the packet where the video ends: cut off, filled with silence, or silence only', async () => {
    const audio = await encode(['-f', 'lavfi', '-i', 'sine=f=500:r=48000:d=1']);
    for (const [given, packets] of [
      [audio, 20],
      [audio, 300],
      [null, 100],
      [audio, audio.packets],
    ] as const) {
      const starts = [0, 10, Math.floor(packets / 2), packets];
      const { body, offsets } = await layOutAudio(runner, folder, given, { packets, starts, channels: 2 }, run);
      const path = join(folder, 'laid-out.aac');
      const bytes = await bytesOf(body);
      await writeFile(path, bytes);
      expect(await countPackets(path)).to.equal(packets);
      expect(offsets).to.deep.equal(await packetOffsets(path, starts));
      expect(offsets.at(-1)).to.equal(bytes.length);
      await runTool('ffmpeg', ['-xerror', '-f', 'aac', '-i', path, '-f', 'null', '-']);
    }
  });

  it('is not decoded beyond a broken packet', async () => {
    const audio = await encode(['-f', 'lavfi', '-i', 'sine=f=500:r=48000:d=1']);
    const bytes = await readFile(audio.path);
    const path = join(folder, 'broken.aac');
    const [offset = 0] = await packetOffsets(audio.path, [10]);
    await writeFile(path, Buffer.concat([bytes.subarray(0, offset), Buffer.from('broken'), bytes.subarray(offset)]));
    expect(await countPackets(path)).to.equal(10);
  });
});
