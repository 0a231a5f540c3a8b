/** A still image is made of a live run this often: of the first segment of each span of this length. */
export const stillImageIntervalMs = 30_000;
/** Still images of a run that are kept. */
export const maxStillImages = 3;

/** What a still image depends on. */
interface TimedSegment {
  readonly runId: string;
  /** Since 1970. */
  readonly startsAtMs: number;
}

/** Whether a still image is made of a segment; `before`: the segment of its run before it. */
export function hasStillImage(segment: TimedSegment, before: TimedSegment | undefined): boolean {
  const span = ({ startsAtMs }: TimedSegment): number => Math.floor(startsAtMs / stillImageIntervalMs);
  return before === undefined || span(before) !== span(segment);
}

/**
 * The file of a segment's still image. It names the segment, so that only viewers of the segment get the image: two events, one of
 * them paid, may follow each other within one run.
 */
export function stillImageFile({ runId, startsAtMs }: TimedSegment): string {
  return `still-${runId}-${startsAtMs}.jpg`;
}
