import { expect } from 'chai';
import { mediaSecondsOf } from '../../../shared/content/mediaSeconds.js';
import type { PlannedRendition } from '../../../shared/content/plan.js';
import type { FrameRate } from '../../../shared/media/frameRate.js';

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

  it('are more where the source takes longer to decode', () => {
    const source = { width: 3840, height: 2160, framesPerSecond: 30 };
    expect(mediaSecondsOf(plan(30, 5), source)).to.equal(5 * hour);
    expect(mediaSecondsOf(plan(30, 5), { ...source, width: 7680, height: 4320 })).to.equal(20 * hour);
    expect(mediaSecondsOf(plan(60, 5), { ...source, framesPerSecond: 240 })).to.equal(40 * hour);
  });
});
