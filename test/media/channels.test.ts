import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { probe, speechCommand } from '../../workers/media/index.js';
import { copyDirectly } from '../support/directCopy.js';
import { directTranscoding } from '../support/directTranscoding.js';
import { makeClip, runTool } from '../support/media.js';
import { rowsOf } from '../support/requirements.js';

const seconds = 2;
const sampleRate = 48_000;
/** RMS in dB of a sine of half the full scale. */
const toneLevel = -9.03;
const none = Number.NEGATIVE_INFINITY;

const picture = ['-f', 'lavfi', '-i', `testsrc2=s=320x180:r=25:d=${seconds}`];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const mono = ['-f', 'lavfi', '-i', `aevalsrc=0.5*sin(440*2*PI*t):c=mono:s=${sampleRate}:d=${seconds}`];

/** Samples of this number of channels, with a tone in some of them. */
function samplesOf(channels: number, sounding: readonly number[]): Buffer {
  const samples = Buffer.alloc(seconds * sampleRate * channels * 2);
  for (let frame = 0; frame < seconds * sampleRate; frame += 1) {
    const value = Math.round(0.5 * 32_767 * Math.sin((2 * Math.PI * 440 * frame) / sampleRate));
    for (const channel of sounding) samples.writeInt16LE(value, (frame * channels + channel) * 2);
  }
  return samples;
}

/** The level of each channel of the first audio stream, RMS in dB. */
async function levelsOf(media: Buffer, channels: number): Promise<number[]> {
  const decoding = ['-i', '-', '-map', '0:a:0', '-af', 'atrim=0.3:1.5', '-f', 'f32le', '-'];
  const samples = Buffer.from(await runTool('ffmpeg', decoding, media), 'latin1');
  const power = Array.from({ length: channels }, () => 0);
  for (let at = 0; at + 4 <= samples.length; at += 4) power[(at / 4) % channels]! += samples.readFloatLE(at) ** 2;
  return power.map((sum) => 10 * Math.log10(sum / (samples.length / 4 / channels)));
}

function expectLevels(levels: readonly number[], expected: readonly number[], what: string): void {
  expect(levels, what).to.have.lengthOf(expected.length);
  for (const [index, level] of expected.entries()) {
    if (level === none) expect(levels[index], what).to.be.below(-60);
    else expect(levels[index], what).to.be.closeTo(level, 0.6);
  }
}

describe('the audio channels of a source', function () {
  this.timeout(60_000);
  const direct = directTranscoding();

  /** A file whose audio does not declare its channel layout. */
  async function unplaced(extension: string, channels: number, sounding: readonly number[], video = true) {
    const folder = await mkdtemp(join(direct.ctx.config.dataDir, 'channels-'));
    const [raw, path] = [join(folder, 'raw'), join(folder, `film.${extension}`)];
    await writeFile(raw, samplesOf(channels, sounding));
    const audio = ['-f', 's16le', '-ac', String(channels), '-ar', String(sampleRate), '-i', raw];
    const codec = extension === 'mkv' ? 'flac' : 'pcm_s16le';
    await runTool('ffmpeg', [...(video ? picture : []), ...audio, ...(video ? h264 : []), '-c:a', codec, path]);
    return path;
  }

  /** The copied audio of the quick generation. */
  async function quickOf(path: string): Promise<Buffer> {
    const sourceKey = `sources/${randomUUID()}/original`;
    const stored = await direct.ctx.storage.put(sourceKey, await readFile(path), { contentType: 'video/mp4' });
    const folder = await mkdtemp(join(direct.ctx.config.dataDir, 'quick-'));
    const { outcome, media } = await copyDirectly(direct.ctx, folder, { sourceKey, sourceBytes: stored.bytes });
    expect(outcome).to.equal('copied');
    return media;
  }

  const kinds: readonly {
    readonly name: string;
    readonly file: () => Promise<string>;
    readonly levels: readonly number[];
    /** The levels in the quick generation, if they differ. */
    readonly quick?: readonly number[];
  }[] = [
    {
      name: 'one channel, AAC, which the quick generation copies',
      file: () => makeClip('mp4', [...picture, ...mono, ...h264, '-c:a', 'aac']),
      levels: [toneLevel, toneLevel],
      quick: [toneLevel],
    },
    {
      name: 'one channel, MP3, which the quick generation encodes',
      file: () => makeClip('mkv', [...picture, ...mono, ...h264, '-c:a', 'libmp3lame']),
      levels: [toneLevel, toneLevel],
    },
    {
      name: 'two channels',
      file: () => makeClip('mp4', [...picture, ...mono, ...h264, '-af', 'pan=stereo|c0=c0|c1=c0', '-c:a', 'aac']),
      levels: [toneLevel, toneLevel],
    },
    { name: '9 in MOV', file: () => unplaced('mov', 9, [8]), levels: [toneLevel, none] },
    { name: '12 in MOV', file: () => unplaced('mov', 12, [11]), levels: [none, toneLevel] },
    { name: '60 in MOV', file: () => unplaced('mov', 60, [58]), levels: [toneLevel, none] },
    // Limited: the sum of all six is four times the full scale.
    {
      name: '12 that are too loud together',
      file: () => unplaced('mov', 12, [0, 2, 4, 6, 8, 10]),
      levels: [-4.2, none],
    },
    { name: '16, which ffmpeg places', file: () => unplaced('mov', 16, [0]), levels: [toneLevel, none] },
    {
      name: 'an ambisonic recording in Opus',
      file: async () => {
        const raw = await unplaced('wav', 9, [0], false);
        const film = raw.replace(/wav$/, 'mkv');
        const opus = ['-c:a', 'libopus', '-mapping_family', '2', '-b:a', '512k'];
        await runTool('ffmpeg', [...picture, '-i', raw, ...h264, ...opus, film]);
        return film;
      },
      levels: [toneLevel, toneLevel],
    },
  ];
  const everyRun = ['one channel, AAC, which the quick generation copies', '12 in MOV'];

  for (const { name, file, levels, quick = levels } of rowsOf(kinds, everyRun)) {
    it(`are heard with their levels, in both generations: ${name}`, async () => {
      const path = await file();
      const { media, plan, copy } = await direct.transcode(path);
      expectLevels(await levelsOf(media, 2), levels, 'full');
      expect(plan.audio.map((track) => track.name)).to.include('audio-0');
      expect(copy).to.equal('copied');
      expectLevels(await levelsOf(await quickOf(path), quick.length), quick, 'quick');
    });
  }

  it('play from a file with audio only, and as a second track', async () => {
    const alone = await unplaced('wav', 12, [11], false);
    const { media, hasVideo } = await direct.transcode(alone);
    expect(hasVideo).to.equal(false);
    expectLevels(await levelsOf(media, 2), [none, toneLevel], 'alone');
    const film = alone.replace(/wav$/, 'mov');
    const tracks = ['-map', '0', '-map', '1', '-map', '2', '-c:a:0', 'aac', '-c:a:1', 'pcm_s16le'];
    await runTool('ffmpeg', [...picture, ...mono, '-i', alone, ...tracks, ...h264, film]);
    const { plan } = await direct.prepare(film);
    expect(plan.audio.map(({ name }) => name)).to.deep.equal(['audio-0', 'audio-1']);
  });

  it('are reported to the owner if they cannot be decoded, or if there are too many tracks', async () => {
    const alone = await unplaced('wav', 66, [0], false);
    const film = alone.replace(/wav$/, 'mov');
    const tracks = ['-map', '0', '-map', '1', '-map', '2', '-c:a:0', 'aac', '-c:a:1', 'copy'];
    await runTool('ffmpeg', [...picture, ...mono, '-i', alone, ...tracks, ...h264, film]);
    const second = await direct.prepare(film);
    expect([second.leftOutAudio, second.plan.audio.map(({ name }) => name)]).to.deep.equal([['Audio 2'], ['audio-0']]);
    const silent = await direct.prepare(await unplaced('mov', 66, [0]));
    expect(silent).to.deep.include({ leftOutAudio: ['Original'], missingEndSeconds: 0 });
    const ten = Array.from({ length: 10 }, () => ['-map', '1']).flat();
    const many = await makeClip('mkv', [...picture, ...mono, '-map', '0', ...ten, ...h264, '-c:a', 'libmp3lame']);
    expect((await direct.prepare(many)).leftOutAudio).to.deep.equal(['Audio 9', 'Audio 10']);
    expect((await direct.prepare(await unplaced('mov', 12, [0]))).leftOutAudio).to.deep.equal([]);
  });

  it('are all passed to speech recognition', async () => {
    const path = await unplaced('wav', 12, [11], false);
    const { demuxer, audio } = await probe(
      direct.ctx.media.runner,
      path,
      direct.ctx.config.media,
      new AbortController().signal,
    );
    if (!audio) throw new Error('no audio');
    const folder = await mkdtemp(join(direct.ctx.config.dataDir, 'speech-'));
    const source = { folder, path, demuxer, stream: audio.index, channels: audio, startSeconds: 0 };
    await direct.ctx.media.runner.convert(speechCommand(source, 'speech.wav'), {
      signal: new AbortController().signal,
    });
    expectLevels(await levelsOf(await readFile(join(folder, 'speech.wav')), 1), [toneLevel], 'speech');
  });
});
