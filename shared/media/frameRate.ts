/** Frames per second, as a fraction: `[30000, 1001]`. */
export type FrameRate = readonly [number, number];

/** The lowest rate leaves two frames per keyframe interval. */
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
/**
 * Exact rates are fractions up to this denominator: the intervals of a GIF are hundredths of a second, so one with 70 ms per
 * frame has `[100, 7]`.
 */
const finestScale = 12;
/** Relative errors of measured rates: a standard rate is used within the first, another fraction only within the second. */
const [standardTolerance, exactTolerance] = [0.005, 0.001];

/**
 * The constant frame rate for a source of `average` frames per second: the standard rate within 5 percent of it, otherwise the
 * next higher one, so that a variable frame rate of at most 60 loses no frames. A constant rate is kept; above 60 it is divided
 * by an integer, so that all frames have the same duration.
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
 * A content is encoded with at most this number of frames for each frame of its source, for example if a screen does not change
 * for a minute and then scrolls for a second ...
 */
const framesPerPacket = 60;
/** ... unless it has fewer frames than this: then the rate of its source costs little. */
const fewFrames = 600;

/**
 * The constant frame rate for a source of `framesPerSecond`, measured while the picture moves. If the picture is static for long
 * (a slide, one frame with hours of audio), the rate is so low that the encoding work depends on the number of source frames
 * (`packets`), not on the duration.
 */
export function frameRateWithin(
  framesPerSecond: number,
  source: { readonly packets: number; readonly seconds: number; readonly isConstant?: boolean },
): FrameRate {
  const maxRate = Math.max(fewFrames, framesPerPacket * source.packets) / source.seconds;
  return maxRate < framesPerSecond ? frameRateFor(maxRate) : frameRateFor(framesPerSecond, source.isConstant);
}

/** Null if no fraction is near. */
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
