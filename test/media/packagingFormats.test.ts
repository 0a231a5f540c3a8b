import { expect } from 'chai';
import { openTestContext } from '../support/context.js';
import {
  audioOffsets,
  expectPlayable,
  loudestSample,
  makeFlv,
  packagingFixture,
  packageStream,
  type FlvOptions,
  type Packaged,
} from '../support/liveRun.js';
import { barColours, colourBars, colourDifference, colourTags, shownColours } from './colourBars.js';
import { makeClip, readStored } from '../support/media.js';
import { liveMasterPlaylist } from '../../shared/streaming/liveMaster.js';
import { parseMaster } from '../support/hlsPlaylist.js';
import { expectCompleteEnd, makeEndingClip, type StreamEnd } from '../support/live/streamEnds.js';
import { rowsOf } from '../support/requirements.js';
import { makeUser } from '../support/users.js';

const bFrames = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '3'];

describe('the packager of encoder media', function () {
  this.timeout(60_000);
  const { ctx, owner } = packagingFixture();

  async function packaged(options: FlvOptions): Promise<Packaged> {
    const result = await packageStream(ctx, owner.id, await makeFlv(options));
    expect(result.reason).to.equal('source ended');
    await expectPlayable(ctx, result);
    return result;
  }

  const durations = ({ segments }: Packaged): number[] =>
    segments.map(({ durationMicroseconds }) => durationMicroseconds / 1e6);
  const shape = ({ run }: Packaged): unknown[] =>
    (run.renditions ?? []).map(({ name, width, height, frameRate, isCopy }) => [
      name,
      width,
      height,
      frameRate,
      isCopy,
    ]);

  async function expectSync(result: Packaged): Promise<void> {
    const offsets = (
      await Promise.all((result.run.renditions ?? []).map(({ name }) => audioOffsets(ctx, result, name)))
    ).flat();
    expect(offsets).to.have.length.greaterThan(1);
    for (const offset of offsets) expect(Math.abs(offset), 'audio in addition to the video').to.be.lessThan(0.04);
  }

  it('keeps the colors of untagged standard definition, copied and encoded', async () => {
    const bars = colourBars('320x180', '30', 5);
    const coding = ['-vf', 'scale=out_color_matrix=bt601:out_range=tv', '-c:v', 'libx264', '-preset', 'ultrafast'];
    const grid = ['-pix_fmt', 'yuv420p', '-qp', '6', '-g', '60', '-keyint_min', '60', '-sc_threshold', '0'];
    const flv = await makeClip('flv', [...bars, ...coding, ...grid, '-flvflags', 'no_duration_filesize']);
    const { segments, folder } = await packageStream(ctx, owner.id, flv);
    const renditions = segments[0]?.renditions ?? [];
    const found = await Promise.all(
      renditions.map(async ({ name, map, file }) => {
        const media = Buffer.concat(
          await Promise.all([map, file].map((part) => readStored(ctx, `live/${folder}/${part}`))),
        );
        expect(colourDifference(await shownColours(media), barColours), name).to.be.below(12);
        return [name, (await colourTags(media)).matrix];
      }),
    );
    expect(found).to.deep.equal([
      ['180p', 'smpte170m'],
      ['120p', 'bt709'],
    ]);
  });

  it('copies the top rendition if its keyframes are on a grid of two seconds', async () => {
    const result = await packaged({});
    expect(shape(result)).to.deep.equal([
      ['180p', 320, 180, 30, true],
      ['120p', 214, 120, 30, false],
    ]);
    expect(durations(result)).to.deep.equal([2, 2, 1]);
    await expectSync(result);
  });

  const audios = [
    { name: 'AAC in stereo', audio: ['-c:a', 'aac', '-ac', '2'] },
    { name: 'AAC in mono', audio: ['-c:a', 'aac', '-ac', '1'] },
    { name: 'MP3 in mono', audio: ['-c:a', 'libmp3lame', '-ar', '44100', '-ac', '1'] },
  ];
  for (const { name, audio } of rowsOf(audios, ['AAC in stereo', 'MP3 in mono'])) {
    it(`plays audio with its level: ${name}`, async () => {
      // Stereo contains the same tone, which ffmpeg reduces by 3 dB.
      const level = audio.at(-1) === '2' ? 0.5 * Math.SQRT1_2 : 0.5;
      const result = await packaged({ seconds: 3, audio });
      for (const rendition of ['180p', '120p'])
        expect(await loudestSample(ctx, result, rendition), rendition).to.be.within(0.9 * level, 1.2 * level);
    });
  }

  it('copies video with a keyframe every half second and B-frames', async () => {
    const result = await packaged({
      keyframes: 15,
      video: bFrames,
      audio: ['-c:a', 'aac', '-ar', '44100', '-ac', '1'],
    });
    expect(shape(result)[0]).to.deep.equal(['180p', 320, 180, 30, true]);
    expect(durations(result).slice(0, 2)).to.deep.equal([2, 2]);
    await expectSync(result);
  });

  it('encodes every rendition of video with GOPs of ten seconds and B-frames', async () => {
    const result = await packaged({ keyframes: 300, video: bFrames });
    expect(shape(result)).to.deep.equal([
      ['180p', 320, 180, 30, false],
      ['120p', 214, 120, 30, false],
    ]);
    expect(durations(result)).to.deep.equal([2, 2, 1]);
    await expectSync(result);
  });

  it('copies a stream to its end, with audio that ends before the video', async () => {
    const end: StreamEnd = { bFrames: 3, framesPerSecond: 25, seconds: 10.02, audioLongerSeconds: -1.2 };
    const clip = await makeEndingClip(end);
    const result = await packageStream(ctx, owner.id, clip);
    expect(result.reason).to.equal('source ended');
    await expectCompleteEnd(ctx, clip, end, result);
  });

  const rates = [
    { name: '25', frameRate: 25 },
    { name: '60', frameRate: 60 },
    { name: '30000/1001', frameRate: 30000 / 1001 },
  ];
  for (const { name: rate, frameRate } of rowsOf(rates, ['30000/1001']))
    it(`keeps ${rate} frames per second`, async () => {
      const result = await packaged({ rate, keyframes: Math.round(frameRate * 10), seconds: 4 });
      expect(result.run.renditions?.map((rendition) => rendition.frameRate)).to.deep.equal([frameRate, frameRate]);
      expect(durations(result)[0]).to.be.closeTo(2, 0.003);
      await expectSync(result);
    });

  it('keeps an odd frame rate', async () => {
    const result = await packaged({ rate: '22', keyframes: 220 });
    expect(result.run.renditions?.[0]?.frameRate).to.equal(22);
    await expectSync(result);
  });

  it('encodes B-frames with audio in sync', async () => {
    const other = await openTestContext({ LIVE_RENDITIONS: '180,120', LIVE_PRESET: 'superfast' });
    try {
      const result = await packageStream(
        other,
        (await makeUser(other)).id,
        await makeFlv({ keyframes: 300, video: bFrames }),
      );
      await expectPlayable(other, result);
      for (const offset of await audioOffsets(other, result, '120p')) expect(Math.abs(offset)).to.be.lessThan(0.04);
    } finally {
      await other.close();
    }
  });

  it('keeps portrait video upright with the same ladder', async () => {
    expect(shape(await packaged({ size: '180x320', keyframes: 300 }))).to.deep.equal([
      ['180p', 180, 320, 30, false],
      ['120p', 120, 214, 30, false],
    ]);
  });

  it('converts to square pixels and only scales down', async () => {
    const wide = await packaged({ size: '240x180', filter: 'setsar=4/3', seconds: 3 });
    expect(shape(wide)[0]).to.deep.equal(['180p', 320, 180, 30, false]);
    const large = await packaged({ size: '640x360', seconds: 3 });
    expect(shape(large)[0]).to.deep.equal(['180p', 320, 180, 30, false]);
    const small = await packaged({ size: '160x90', seconds: 3 });
    expect(shape(small)).to.deep.equal([['90p', 160, 90, 30, true]]);
  });

  it('adds silence if there is no audio', async () => {
    const result = await packaged({ audio: null });
    expect(durations(result)).to.deep.equal([2, 2, 1]);
    expect(await audioOffsets(ctx, result, '180p')).to.deep.equal([]);
  });

  it('shows a still image if there is only audio', async () => {
    const result = await packaged({ video: null });
    expect(shape(result)).to.deep.equal([
      ['180p', 320, 180, 25, false],
      ['120p', 214, 120, 25, false],
    ]);
    expect(durations(result).slice(0, 2)).to.deep.equal([2, 2]);
  });

  it('keeps the time of audio that starts slightly late', async () => {
    await expectSync(await packaged({ audioDelay: 1.3 }));
  });

  it('continues after a discontinuity when audio starts late', async () => {
    const result = await packaged({ seconds: 8, audioDelay: 3.3 });
    const [first, ...others] = new Set(result.segments.map(({ discontinuity }) => discontinuity));
    expect(others).to.deep.equal([(first ?? 0) + 1]);
    expect(durations(result)).to.deep.equal([2, 2, 2, 2]);
    const offsets = await audioOffsets(ctx, result, '120p', others[0]);
    expect(offsets).to.have.length.greaterThan(2);
    for (const offset of offsets) expect(Math.abs(offset)).to.be.lessThan(0.04);
  });

  const bits = (bytes: number, microseconds: number): number => (bytes * 8e6) / microseconds;
  const tops = [
    { name: 'encoded', keyframes: 300 },
    { name: 'copied', keyframes: 60 },
  ];
  for (const { name: top, keyframes } of rowsOf(tops, ['copied']))
    it(`declares an average bit rate, and a peak that no segment exceeds, for complex pictures: ${top}`, async () => {
      const { run, segments } = await packaged({ seconds: 12, keyframes, filter: 'noise=alls=60:allf=t' });
      const ladder = run.renditions ?? [];
      const listed = segments.map((segment) => ({ ...segment, startsAtMs: 0 }));
      const master = parseMaster(liveMasterPlaylist(ladder, listed));
      for (const { name, peakBitrate, isCopy } of ladder) {
        const files = listed.map(({ renditions, durationMicroseconds }) => ({
          bytes: renditions.find((one) => one.name === name)?.bytes ?? 0,
          durationMicroseconds,
        }));
        const { attributes = '' } = master.find(({ uri }) => uri === `${name}.m3u8`) ?? {};
        const [, bandwidth, average] = /^BANDWIDTH=(\d+),AVERAGE-BANDWIDTH=(\d+)/.exec(attributes) ?? [];
        const peak = Math.max(...files.map((file) => bits(file.bytes, file.durationMicroseconds)));
        const sum = files.reduce((all, { bytes }) => all + bytes, 0);
        const length = files.reduce((all, { durationMicroseconds }) => all + durationMicroseconds, 0);
        expect(peak, `${name} before it is measured`).to.be.at.most(peakBitrate);
        expect(peak, `BANDWIDTH of ${name}`).to.be.at.most(Number(bandwidth));
        expect(Number(average) / bits(sum, length), `AVERAGE-BANDWIDTH of ${name}`).to.be.closeTo(1, 0.1);
        if (!isCopy) expect(Number(bandwidth), 'and not far above').to.be.lessThan(peak * 1.7);
      }
    });

  it('lists each segment at its capture time', async () => {
    const result = await packaged({});
    const [first] = result.segments;
    // Of five seconds that arrive at once, the last one was captured now.
    expect(first?.startsAt.getTime()).to.be.closeTo(ctx.clock.now().getTime() - 5_000, 80);
    expect(result.segments.map(({ startsAt }) => startsAt.getTime() - (first?.startsAt.getTime() ?? 0))).to.deep.equal([
      0, 2000, 4000,
    ]);
  });
});
