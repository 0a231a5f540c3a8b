import { restartGeneration } from '../../shared/content/generation.lifecycle.js';
import type { Content } from '../../shared/content/content.model.js';
import type { JobRun } from '../runtime/jobTypes.js';

/** What was planned cannot be made, and another plan can. */
export class PlanOutdatedError extends Error {}

/** What is wrong with a plan of the release before: the chunks of both releases do not fit together. */
export const muxedPlan = 'its audio is in the files of each rendition';

/** Plans a generation again, from its beginning. */
export async function planAgain({ ctx, log }: JobRun<unknown>, content: Content, why: string): Promise<unknown> {
  const { id: contentId, generation } = content;
  await ctx.db.transaction((tx) => restartGeneration(ctx, tx, { contentId, generation }));
  log.warn({ contentId, generation, why }, 'generation planned again');
  return { restarted: generation };
}
