/** How fast the frames of a video follow each other where it moves. */
export interface FramePace {
  readonly framesPerSecond: number;
  /** Nearly all intervals between its frames are the same: each frame keeps its place at exactly this rate. */
  readonly isConstant: boolean;
}

/** Frames that are measured: the first quarter of an hour at 60 frames a second. */
const measuredFrames = 50_000;
/** The pace of so many intervals together does not depend on the jitter of single ones. */
const intervalsTogether = 12;
/** A pace is that of the video where at least this share of it is as fast: a few frames at once are a fault of their timestamps. */
const movingShare = 0.1;
/** Intervals that differ from the usual one by less belong to it. */
const nearShare = 0.25;
/** Containers round to milliseconds. */
const roundingSeconds = 0.0011;
const constantShare = 0.9;

/** Takes the presentation times of frames, in any order. */
export class FramePaceMeter {
  readonly #ticks: number[] = [];

  add(tick: number): void {
    if (this.#ticks.length < measuredFrames) this.#ticks.push(tick);
  }

  /**
   * The average, unless a part is clearly faster, as where a camera has dropped frames, or where a screen was recorded that stands
   * still for long and sometimes scrolls. `averageSeconds`: between two frames; `timeBase`: seconds of one tick.
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

/** The mean of the intervals near the one of the fastest part. Null: there is none. */
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
