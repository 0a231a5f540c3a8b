import { expect } from 'chai';
import { videoFrame, type FrameSource } from '../../../workers/media/frame.js';
import { MediaFault } from '../../../workers/media/mediaFault.js';
import type { MediaRunner } from '../../../workers/media/runner.js';
import { rejection } from '../../support/rejection.js';

const source = {
  source: { address: 'film.mp4' },
  description: { demuxer: 'mov', video: { index: 0, width: 1280, height: 720, mayBeInterlaced: false, colours: {} } },
  threads: 1,
  maxPixels: 1280 * 720,
} as unknown as FrameSource;

/** The frame step and the number of frames that ffmpeg compares, for a minute with this number of keyframes per second. */
async function compared(keyframesPerSecond: number): Promise<readonly [step: number, frames: number]> {
  const filters: string[] = [];
  const runner = { convert: async ({ filter }: { filter: string }) => void filters.push(filter) };
  const keyframeSeconds = Array.from({ length: 60 * keyframesPerSecond }, (_, at) => at / keyframesPerSecond);
  const timeline = { startSeconds: 0, endSeconds: 60, keyframeSeconds };
  const run = { signal: new AbortController().signal, stallSeconds: 10 };
  const error = await rejection(videoFrame(runner as unknown as MediaRunner, '/nowhere', source, timeline, run));
  expect(error).to.be.instanceOf(MediaFault);
  const [, step, frames] = /framestep=(\d+),thumbnail=n=(\d+)/.exec(filters[0] ?? '') ?? [];
  return [Number(step), Number(frames)];
}

describe('the frame of a thumbnail', () => {
  it('is chosen from at most 32 frames of the complete window, because ffmpeg keeps them in memory', async () => {
    expect(await compared(0.5)).to.deep.equal([1, 16]);
    const [step, frames] = await compared(60);
    expect(frames).to.be.at.most(32);
    expect(step * frames).to.be.at.least(30 * 60);
  });
});
