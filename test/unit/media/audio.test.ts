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
