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

const [highestRate, lowestExactRate] = [60, 7.5];
/** Exact rates are fractions up to this denominator: the intervals of a GIF are hundredths of a second, so it has `[100, 7]`. */
const finestScale = 12;
/** How far measured rates are off: a standard rate is taken for this share of it, a fraction only where it fits better. */
const [standardTolerance, exactTolerance] = [0.005, 0.001];

/**
 * The constant frame rate for a source of `average` frames per second: the standard rate within 5 percent of it, else the
 * next higher one, so that a variable frame rate of at most 60 loses no frames. A source of constant rate keeps it, or above 60 an even
 * fraction of it, so that no frame is shown for longer than others.
 */
export function frameRateFor(average: number, isConstant = false): FrameRate {
  const exact = isConstant ? exactRate(average / Math.ceil(average / highestRate - 0.02)) : null;
  if (exact) return exact;
  const nearest = standardRates.reduce((best, rate) =>
    distance(rate, average) < distance(best, average) ? rate : best,
  );
  if (distance(nearest, average) <= average * 0.05) return nearest;
  return standardRates.find(([rate, scale]) => rate / scale >= average) ?? [60, 1];
}

/**
 * A content is encoded in at most this number of frames for each frame of its source, as where a screen stands still for a minute and
 * scrolls for a second ...
 */
const framesPerPacket = 60;
/** ... unless it has fewer than this: then the rate of its source costs little. */
const fewFrames = 600;

/**
 * The constant frame rate for a source of `framesPerSecond` where it moves. Where it stands still for long (a slide, one frame
 * with hours of audio), the rate is so low that the work depends on the frames that the source has (`packets`), not on its
 * duration.
 */
export function frameRateWithin(
  framesPerSecond: number,
  source: { readonly packets: number; readonly seconds: number; readonly isConstant?: boolean },
): FrameRate {
  const most = Math.max(fewFrames, framesPerPacket * source.packets) / source.seconds;
  return most < framesPerSecond ? frameRateFor(most) : frameRateFor(framesPerSecond, source.isConstant);
}

/** Null: no fraction is near. */
function exactRate(average: number): FrameRate | null {
  const standard = standardRates.reduce((best, rate) =>
    distance(rate, average) < distance(best, average) ? rate : best,
  );
  if (distance(standard, average) <= average * standardTolerance) return standard;
  if (average < lowestExactRate || average > highestRate) return null;
  for (let scale = 1; scale <= finestScale; scale += 1) {
    const rate: FrameRate = [Math.round(average * scale), scale];
    if (distance(rate, average) <= average * exactTolerance) return rate;
  }
  return null;
}

function distance([rate, scale]: FrameRate, average: number): number {
  return Math.abs(rate / scale - average);
}
