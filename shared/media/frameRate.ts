/** Frames per second, as a fraction: `[30000, 1001]`. */
export type FrameRate = readonly [number, number];

/** The lowest one leaves two frames for each keyframe. */
const standardRates: readonly FrameRate[] = [
  [1, 1],
  [2, 1],
  [3, 1],
  [4, 1],
  [5, 1],
  [6, 1],
  [8, 1],
  [10, 1],
  [12, 1],
  [15, 1],
  [20, 1],
  [24_000, 1001],
  [24, 1],
  [25, 1],
  [30_000, 1001],
  [30, 1],
  [48, 1],
  [50, 1],
  [60_000, 1001],
  [60, 1],
];

export function secondsOfFrames(frames: number, [rate, scale]: FrameRate): number {
  return (frames * scale) / rate;
}

/**
 * The constant frame rate for a source of `average` frames per second: the standard rate within 5 percent of it, else the
 * next higher one, so that a variable frame rate of at most 60 loses no frames.
 */
export function frameRateFor(average: number): FrameRate {
  const nearest = standardRates.reduce((best, rate) =>
    distance(rate, average) < distance(best, average) ? rate : best,
  );
  if (distance(nearest, average) <= average * 0.05) return nearest;
  return standardRates.find(([rate, scale]) => rate / scale >= average) ?? [60, 1];
}

/** A content is encoded in at most this number of frames for each frame of its source ... */
const framesPerPacket = 4;
/** ... unless it has fewer than this: then the rate of its source costs little. */
const fewFrames = 600;

/**
 * The constant frame rate for a source of `framesPerSecond` where it moves. Where it stands still for long (a slide, one frame
 * with hours of audio), the rate is so low that the work depends on the frames that the source has (`packets`), not on its
 * duration.
 */
export function frameRateWithin(
  framesPerSecond: number,
  source: { readonly packets: number; readonly seconds: number },
): FrameRate {
  const mostFrames = Math.max(fewFrames, framesPerPacket * source.packets);
  return frameRateFor(Math.min(framesPerSecond, mostFrames / source.seconds));
}

function distance([rate, scale]: FrameRate, average: number): number {
  return Math.abs(rate / scale - average);
}
