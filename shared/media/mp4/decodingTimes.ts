import type { Sample } from './trackRuns.js';

/** When a sample is decoded and for how long, and its offset to the presentation; in ticks. */
export interface SampleTimes {
  readonly duration: number;
  readonly offset: number;
}

/** Times of decoding and of presentation for all samples of a fragment. */
export interface CorrectedTimes {
  readonly decodeTime: number;
  readonly samples: readonly SampleTimes[];
}

/** The ends of a segment that a fragment has. */
export interface SegmentEnds {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/**
 * Times of decoding that begin when the first sample, a keyframe, is presented, and end when the presentation does. Each sample is
 * decoded after the one before it, and not after its presentation. The times of presentation stay. `decodeTime`: of the first
 * sample until now. Null where nothing changes, or there is no time between two samples.
 *
 * Until now each sample is decoded by a constant delay too early: that of the keyframe at the start of the segment. Those that
 * would be decoded before the first presentation come quickly one after the other; the last ones take until the end of the
 * presentation, and not longer. A segment of several fragments is changed in the first and the last one.
 */
export function decodingInside(
  decodeTime: number,
  samples: readonly Sample[],
  { isFirst, isLast }: SegmentEnds = { isFirst: true, isLast: true },
  delay: number = samples[0]?.offset ?? 0,
): CorrectedTimes | null {
  if (delay === 0 || samples.length === 0 || !(isFirst || isLast)) return null;
  let time = decodeTime;
  const decoded = samples.map(({ duration }) => (time += duration) - duration);
  const presented = samples.map(({ offset }, index) => (decoded[index] as number) + offset);
  const shownLast = presented.reduce((last, shown) => Math.max(last, shown), decodeTime + delay);
  const end = isLast ? Math.max(time + delay, shownLast + 1) : time;
  if (isFirst) beginAt(decodeTime + delay, decoded, presented, end);
  if (isLast) endAt(end, decoded, presented);
  decoded.push(end);
  const isValid = presented.every((shown, sample) => {
    const at = decoded[sample] as number;
    return at <= shown && at < (decoded[sample + 1] as number);
  });
  if (!isValid) return null;
  return {
    decodeTime: decoded[0] as number,
    samples: presented.map((shown, sample) => {
      const at = decoded[sample] as number;
      return { duration: (decoded[sample + 1] as number) - at, offset: shown - at };
    }),
  };
}

/** Samples that were decoded before the start come quickly one after the other. */
function beginAt(start: number, decoded: number[], presented: readonly number[], end: number): void {
  const early = decoded.filter((at) => at <= start).length;
  const latest = presented.slice(1).reduce((first, shown) => Math.min(first, shown), decoded[early] ?? end);
  for (let sample = 0; sample < early; sample += 1)
    decoded[sample] = start + Math.floor((sample * (latest - start)) / early);
}

function endAt(end: number, decoded: number[], presented: readonly number[]): void {
  let next = end;
  for (let sample = decoded.length - 1; sample > 0; sample -= 1) {
    next = Math.max(decoded[sample] as number, next - (end - (presented[sample] as number)));
    decoded[sample] = next;
  }
}
