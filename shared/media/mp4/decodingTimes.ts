import type { Sample } from './trackRuns.js';

/** Decoding duration of a sample, and the offset from its decoding time to its presentation time; in ticks. */
export interface SampleTimes {
  readonly duration: number;
  readonly offset: number;
}

/** Decoding and presentation times of all samples of a fragment. */
export interface CorrectedTimes {
  readonly decodeTime: number;
  readonly samples: readonly SampleTimes[];
}

/** Whether a fragment is at the start or the end of its segment. */
export interface SegmentEnds {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/**
 * Decoding times that begin at the presentation time of the first sample, a keyframe, and end with the presentation. Each sample
 * is decoded after the preceding one and no later than its presentation. Presentation times do not change. `decodeTime`:
 * uncorrected time of the first sample. Null if nothing changes, or if two samples would have the same time.
 *
 * The uncorrected times are too early by a constant delay: that of the keyframe at the start of the segment. Samples before the
 * new start are squeezed in after it; the last samples are stretched to the end of the presentation. In a segment of several
 * fragments, only the first and the last one change.
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

/** Distributes the samples that were decoded before the start over a short time after it. */
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
