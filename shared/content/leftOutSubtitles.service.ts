import type { Context } from '../platform/context.js';
import { Content } from './content.model.js';
import type { LeftOutSubtitles } from './leftOutSubtitles.js';

/** Replaces the record of the source's subtitle streams that were omitted from the captions. */
export async function recordLeftOutSubtitles(
  ctx: Context,
  contentId: string,
  leftOut: readonly LeftOutSubtitles[],
): Promise<void> {
  const values = { leftOutSubtitles: leftOut.length === 0 ? null : leftOut, updatedAt: ctx.clock.now() };
  await ctx.db.model(Content).update(values, { where: { id: contentId } });
}
