import type { Context } from '../platform/context.js';
import { liveFileKey } from './liveRendition.js';
import { isInLiveScope, storedSegment, timelineOf, type LiveFile } from './liveTimeline.js';
import type { LiveScope } from './liveScope.js';

/** A still is made of a live run this often: of the first segment of each span of this length. */
const stillImageIntervalMs = 30_000;
/** Stills that are kept of a run. */
export const maxStillImages = 3;

/** A segment as far as stills need to know it. */
interface TimedSegment {
  readonly runId: string;
  /** Since 1970. */
  readonly startsAtMs: number;
}

/** Whether a still is made of a segment; `before`: the segment of its run before it. */
export function hasStillImage(segment: TimedSegment, before: TimedSegment | undefined): boolean {
  const span = ({ startsAtMs }: TimedSegment): number => Math.floor(startsAtMs / stillImageIntervalMs);
  return before === undefined || span(before) !== span(segment);
}

/**
 * The file of the still of a segment. It names the very segment, so that a still is shown only to whom its segment is: two
 * events, one of them paid, may follow each other within one run.
 */
export function stillImageFile({ runId, startsAtMs }: TimedSegment): string {
  return `still-${runId}-${startsAtMs}.jpg`;
}

/** The newest still of what is live in a scope; null: there is none of the last minutes. */
export async function newestStillImage(ctx: Context, scope: LiveScope): Promise<LiveFile | null> {
  const segments = (await timelineOf(ctx, scope.streamId))?.segments ?? [];
  const oldestMs = ctx.clock.now().getTime() - (maxStillImages + 1) * stillImageIntervalMs;
  const shown = segments.filter(
    (segment, index) =>
      segment.startsAtMs >= oldestMs &&
      isInLiveScope(scope, segment.startsAtMs) &&
      hasStillImage(segment, segments[index - 1]?.runId === segment.runId ? segments[index - 1] : undefined),
  );
  // The newest may not be stored yet.
  for (const segment of shown.toReversed().slice(0, maxStillImages)) {
    const row = await storedSegment(ctx, segment);
    const key = row && liveFileKey(row.folder, stillImageFile(segment));
    const stored = key === null ? null : await ctx.storage.stat(key);
    if (stored) return stored;
  }
  return null;
}
