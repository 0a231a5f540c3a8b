/** The frame rate of a video in its moving parts. */
export interface FramePace {
  readonly framesPerSecond: number;
  /** Nearly all intervals between frames are equal, so each frame keeps its position at exactly this rate. */
  readonly isConstant: boolean;
}

/** Number of measured frames: a quarter of an hour at 60 frames per second. */
const measuredFrames = 50_000;
/** Number of intervals that are averaged, to compensate for jitter. */
const intervalsTogether = 12;
/** Minimum share of the video that must be as fast as the measured pace: a few faster frames have wrong timestamps. */
const movingShare = 0.1;
/** Intervals that differ less count as equal. */
const nearShare = 0.25;
/** Tolerance: containers round to milliseconds. */
const roundingSeconds = 0.0011;
const constantShare = 0.9;

/** Measures the pace from presentation times of frames, in any order. */
export class FramePaceMeter {
  readonly #ticks: number[] = [];

  add(tick: number): void {
    if (this.#ticks.length < measuredFrames) this.#ticks.push(tick);
  }

  /**
   * The average pace, unless a part is clearly faster, for example because a camera has dropped frames, or because a screen
   * recording is static except when it scrolls. `averageSeconds`: between two frames; `timeBase`: seconds per tick.
   */
  pace(averageSeconds: number, timeBase: number): FramePace {
    const sorted = this.#ticks.toSorted((left, right) => left - right);
    const intervals = sorted
      .slice(1)
      .map((tick, index) => (tick - (sorted[index] as number)) * timeBase)
      .filter((seconds) => seconds > 0);
    const usual = usualInterval(intervals);
    const average = 1 / averageSeconds;
    if (usual === null) return { framesPerSecond: average, isConstant: false };
    const framesPerSecond = 1 / usual > average * 1.05 ? 1 / usual : average;
    const tolerance = Math.max(roundingSeconds, timeBase);
    const even = intervals.filter((seconds) => Math.abs(seconds * framesPerSecond - 1) <= tolerance * framesPerSecond);
    return { framesPerSecond, isConstant: even.length >= constantShare * intervals.length };
  }
}

/** The mean of the intervals that are near those of the fastest part. Null if there are no intervals. */
function usualInterval(intervals: readonly number[]): number | null {
  if (intervals.length === 0) return null;
  const together = Math.min(intervalsTogether, intervals.length);
  let sum = 0;
  const paces: number[] = [];
  for (const [index, seconds] of intervals.entries()) {
    sum += seconds - (index < together ? 0 : (intervals[index - together] as number));
    if (index >= together - 1) paces.push(sum / together);
  }
  const fast = paces.toSorted((left, right) => left - right)[Math.floor(paces.length * movingShare)] as number;
  const near = intervals.filter((seconds) => Math.abs(seconds - fast) <= fast * nearShare);
  return near.length === 0 ? fast : near.reduce((total, seconds) => total + seconds, 0) / near.length;
}
