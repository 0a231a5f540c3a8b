import { restartGeneration } from '../../shared/content/generation.lifecycle.js';
import type { Content } from '../../shared/content/content.model.js';
import type { JobRun } from '../runtime/jobTypes.js';

/**
 * A generation that the release before has planned, with its audio in the files of each rendition: it is planned again, because the chunks
 * of both releases do not fit together.
 */
export async function restartMuxed({ ctx, log }: JobRun<unknown>, content: Content): Promise<unknown> {
  const { id: contentId, generation } = content;
  await ctx.db.transaction((tx) => restartGeneration(ctx, tx, { contentId, generation }));
  log.warn({ contentId, generation }, 'planned by the release before: planned again');
  return { restarted: generation };
}
