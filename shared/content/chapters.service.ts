import type { Context } from '../platform/context.js';
import { NotFoundError, ValidationError } from '../platform/errors.js';
import type { Chapter } from './chapters.js';
import { Content } from './content.model.js';

/** The chapters of a content, in the order of their times. */
export async function chaptersOf(ctx: Context, contentId: string): Promise<readonly Chapter[]> {
  const content = await ctx.db.model(Content).findByPk(contentId, { attributes: ['chapters'] });
  return content?.chapters ?? [];
}

/** Replaces all chapters of a content. Throws ValidationError if two start together or one starts after the end; NotFoundError. */
export async function replaceChapters(
  ctx: Context,
  contentId: string,
  requested: readonly Chapter[],
): Promise<readonly Chapter[]> {
  const chapters = requested.toSorted((one, other) => one.startSeconds - other.startSeconds);
  await ctx.db.transaction(async (tx) => {
    const content = await ctx.db
      .model(Content)
      .findByPk(contentId, { attributes: ['durationMs', 'state'], transaction: tx, lock: 'NO KEY UPDATE' });
    if (!content || content.state === 'DELETED') throw new NotFoundError();
    assertInOrder(requested, chapters, (content.durationMs ?? Number.POSITIVE_INFINITY) / 1000);
    // An empty list is stored too: ingestion then does not add the source's chapters.
    const values = { chapters, updatedAt: ctx.clock.now() };
    await ctx.db.model(Content).update(values, { where: { id: contentId }, transaction: tx });
  });
  return chapters;
}

function assertInOrder(requested: readonly Chapter[], chapters: readonly Chapter[], endSeconds: number): void {
  const fault = chapters.findIndex(
    ({ startSeconds }, index) => startSeconds >= endSeconds || startSeconds === chapters[index - 1]?.startSeconds,
  );
  const chapter = chapters[fault];
  if (!chapter) return;
  const code = chapter.startSeconds >= endSeconds ? 'afterEnd' : 'duplicate';
  throw new ValidationError([
    {
      ...{ field: `chapters[${requested.lastIndexOf(chapter)}].startSeconds`, code, key: `content.chapter.${code}` },
      rejectedValue: chapter.startSeconds,
    },
  ]);
}
