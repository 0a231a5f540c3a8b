/** Interval of a live run's still images: one from the first segment of each interval. */
export const stillImageIntervalMs = 30_000;
/** Number of stored still images of a run. */
export const maxStillImages = 3;

/** The fields of a segment that decide about its still image. */
interface TimedSegment {
  readonly runId: string;
  /** Milliseconds since 1970. */
  readonly startsAtMs: number;
}

/** Whether a still image is extracted from a segment; `before`: the previous segment of its run. */
export function hasStillImage(segment: TimedSegment, before: TimedSegment | undefined): boolean {
  const span = ({ startsAtMs }: TimedSegment): number => Math.floor(startsAtMs / stillImageIntervalMs);
  return before === undefined || span(before) !== span(segment);
}

/**
 * The file of a segment's still image. The name contains the segment, so that only viewers of the segment can open the image: two
 * events, one of them paid, may follow each other within one run.
 */
export function stillImageFile({ runId, startsAtMs }: TimedSegment): string {
  return `still-${runId}-${startsAtMs}.jpg`;
}
