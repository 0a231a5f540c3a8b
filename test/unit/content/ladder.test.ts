import { expect } from 'chai';
import fc from 'fast-check';
import { fittedLadder, type LadderSource, planLadder, quickRendition } from '../../../shared/content/ladder.js';
import { mediaSecondsOf } from '../../../shared/content/mediaSeconds.js';
import type { PlannedRendition } from '../../../shared/content/plan.js';
import type { FrameRate } from '../../../shared/media/frameRate.js';

const fullHd: LadderSource = { width: 1920, height: 1080, bits: 20_000_000, codec: 'h264', framesPerSecond: 30 };

function renditionsOf(source: Partial<LadderSource>): string[] {
  return planLadder({ ...fullHd, ...source }).map(({ name, width, height }) => `${name} ${width}x${height}`);
}

describe('the ladder', () => {
  it('has five renditions for 1080p', () =>
    expect(renditionsOf({})).to.deep.equal([
      '240p 426x240',
      '360p 640x360',
      '480p 854x480',
      '720p 1280x720',
      '1080p 1920x1080',
    ]));

  it('is portrait for portrait videos', () =>
    expect(renditionsOf({ width: 1080, height: 1920 }).at(-1)).to.equal('1080p 1080x1920'));

  it('includes a step that the video nearly fills, and limits wide videos by the width of the step', () => {
    expect(renditionsOf({ width: 1918, height: 1078 }).at(-1)).to.equal('1080p 1918x1078');
    expect(renditionsOf({ width: 1920, height: 800 }).at(-1)).to.equal('1080p 1920x800');
    expect(renditionsOf({ width: 3840, height: 2160 }).at(-1)).to.equal('1080p 1920x1080');
  });

  it('has a rendition of the size of a source that is clearly between two steps', () => {
    expect(renditionsOf({ width: 768, height: 576 })).to.deep.equal([
      ...['240p 320x240', '360p 480x360', '480p 640x480', '576p 768x576'],
    ]);
    expect(renditionsOf({ width: 1024, height: 576 }).at(-1)).to.equal('576p 1024x576');
    expect(renditionsOf({ width: 576, height: 1024 }).at(-1)).to.equal('576p 576x1024');
    expect(renditionsOf({ width: 1600, height: 900 }).slice(-2)).to.deep.equal(['720p 1280x720', '900p 1600x900']);
    expect(renditionsOf({ width: 1100, height: 360 }).at(-1)).to.equal('618p 1100x360');
    const close = [
      [1366, 768],
      [640, 480],
      [2560, 1440],
      [854, 480],
      [320, 240],
    ] as const;
    expect(close.map(([width, height]) => renditionsOf({ width, height }).at(-1))).to.deep.equal([
      ...['720p 1280x720', '480p 640x480', '1080p 1920x1080', '480p 854x480', '240p 320x240'],
    ]);
    const [below, own, above] = [
      ...planLadder({ ...fullHd, width: 768, height: 576 }).slice(-2),
      planLadder({ ...fullHd, width: 1280, height: 720 }).at(-1),
    ];
    expect(own?.videoBits).to.be.within((below?.videoBits ?? 0) * 1.2, (above?.videoBits ?? 0) / 1.2);
  });

  it('has one rendition of the source’s size for the smallest videos', () => {
    expect(renditionsOf({ width: 64, height: 48 })).to.deep.equal(['240p 64x48']);
    expect(renditionsOf({ width: 1, height: 1 })).to.deep.equal(['240p 2x2']);
  });

  it('exceeds the source bit rate by at most 10%, or by more if the source codec is more efficient', () => {
    const top = (source: Partial<LadderSource>): number => planLadder({ ...fullHd, ...source }).at(-1)?.videoBits ?? 0;
    expect(top({ bits: 1_000_000 })).to.equal(1_100_000);
    expect(top({ bits: 1_000_000, codec: 'av1' })).to.equal(2_200_000);
    expect(top({ bits: null })).to.equal(5_000_000);
    expect(top({ framesPerSecond: 60 })).to.equal(7_500_000);
  });

  it('divides the low bit rate of a small source among its renditions', () => {
    const bits = planLadder({ ...fullHd, width: 1280, height: 720, bits: 400_000 }).map(({ videoBits }) => videoBits);
    expect(bits).to.deep.equal([94_286, 188_571, 330_000, 440_000]);
    expect(planLadder({ ...fullHd, bits: 4_300_000 }).map(({ videoBits }) => videoBits)).to.deep.equal([
      400_000, 800_000, 1_400_000, 2_800_000, 4_730_000,
    ]);
  });

  it('never upscales, and has even, ascending sizes with unique names', () => {
    const sizes = fc.integer({ min: 2, max: 9000 });
    fc.assert(
      fc.property(sizes, sizes, fc.option(fc.integer({ min: 1, max: 100_000_000 })), (width, height, bits) => {
        const ladder = planLadder({ ...fullHd, width, height, bits });
        expect(ladder.length).to.be.greaterThan(0);
        for (const rendition of ladder) {
          expect((rendition.width % 2) + (rendition.height % 2)).to.equal(0);
          expect(rendition.width).to.be.at.most(Math.max(2, width));
          expect(rendition.height).to.be.at.most(Math.max(2, height));
          expect(rendition.maximumBits).to.be.at.least(rendition.videoBits);
          expect(Math.max(rendition.width, rendition.height)).to.be.at.most(1920);
        }
        const areas = ladder.map((rendition) => rendition.width * rendition.height);
        expect(areas).to.deep.equal(areas.toSorted((left, right) => left - right));
        expect(new Set(ladder.map(({ name }) => name)).size).to.equal(ladder.length);
      }),
    );
  });

  it('drops a rendition if the bit rate of a higher one is as low, but never the lowest or the highest', () => {
    const ladder = planLadder(fullHd);
    const fitted = (bits: number): string[] =>
      fittedLadder(ladder, quickRendition(ladder), bits).map(({ name }) => name);
    expect(fitted(40_000), 'slides').to.deep.equal(['240p', '1080p']);
    expect(fitted(100_000)).to.deep.equal(['240p', '720p', '1080p']);
    expect(fitted(230_000), 'an animation').to.deep.equal(['240p', '480p', '720p', '1080p']);
    expect(fitted(300_000)).to.deep.equal(['240p', '360p', '480p', '720p', '1080p']);
    expect(fitted(2_000_000)).to.have.length(5);
    const small = planLadder({ ...fullHd, width: 426, height: 240 });
    expect(fittedLadder(small, quickRendition(small), 0)).to.deep.equal(small);
  });
});

const hour = 3600;
const plan = (rate: number, renditions: number, seconds = hour) => ({
  frameCount: seconds * rate,
  frameRate: [rate, 1] as FrameRate,
  renditions: Array.from({ length: renditions }, () => ({}) as PlannedRendition),
});

describe('media seconds of a content', () => {
  it('are the seconds of its renditions at 30 frames per second', () => {
    const source = { width: 1920, height: 1080, framesPerSecond: 30 };
    expect(mediaSecondsOf(plan(30, 5), source)).to.equal(5 * hour);
    expect(mediaSecondsOf(plan(30, 1), { ...source, width: 426, height: 240 })).to.equal(hour);
  });

  it('are more at a high frame rate and fewer at a low one, within bounds', () => {
    const source = { width: 1280, height: 720, framesPerSecond: 1 };
    expect(mediaSecondsOf(plan(60, 4), { ...source, framesPerSecond: 60 })).to.equal(8 * hour);
    expect(mediaSecondsOf(plan(15, 4), source)).to.equal(2 * hour);
    expect(mediaSecondsOf(plan(1, 4), source)).to.be.closeTo(0.4 * hour, 1);
    expect(mediaSecondsOf(plan(2, 4), null)).to.be.closeTo(0.4 * hour, 1);
  });

  it('are more if the source takes longer to decode', () => {
    const source = { width: 3840, height: 2160, framesPerSecond: 30 };
    expect(mediaSecondsOf(plan(30, 5), source)).to.equal(5 * hour);
    expect(mediaSecondsOf(plan(30, 5), { ...source, width: 7680, height: 4320 })).to.equal(20 * hour);
    expect(mediaSecondsOf(plan(60, 5), { ...source, framesPerSecond: 240 })).to.equal(40 * hour);
  });
});
