import type { Context } from '../platform/context.js';
import { liveFileKey } from './liveRendition.js';
import type { LiveScope } from './liveScope.js';
import { hasStillImage, maxStillImages, stillImageFile, stillImageIntervalMs } from './liveStillImage.js';
import { isInLiveScope, storedSegment, timelineOf, type LiveFile } from './liveTimeline.js';

/** The newest still image of a live scope; null: there is none from the last minutes. */
export async function newestStillImage(ctx: Context, scope: LiveScope): Promise<LiveFile | null> {
  const segments = (await timelineOf(ctx, scope.streamId))?.segments ?? [];
  const oldestMs = ctx.clock.now().getTime() - (maxStillImages + 1) * stillImageIntervalMs;
  const shown = segments.filter(
    (segment, index) =>
      segment.startsAtMs >= oldestMs &&
      isInLiveScope(scope, segment.startsAtMs) &&
      hasStillImage(segment, segments[index - 1]?.runId === segment.runId ? segments[index - 1] : undefined),
  );
  // The newest image may not be stored yet.
  for (const segment of shown.toReversed().slice(0, maxStillImages)) {
    const row = await storedSegment(ctx, segment);
    const key = row && liveFileKey(row.folder, stillImageFile(segment));
    const stored = key === null ? null : await ctx.storage.stat(key);
    if (stored) return stored;
  }
  return null;
}
