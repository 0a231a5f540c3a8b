import { restartGeneration } from '../../shared/content/generation.lifecycle.js';
import type { Content } from '../../shared/content/content.model.js';
import type { JobRun } from '../runtime/jobTypes.js';

/** The plan of a generation cannot be completed, but a new plan can. */
export class PlanOutdatedError extends Error {}

/** A plan of the previous release has muxed audio: chunks of both releases cannot be combined. */
export const muxedPlan = 'the plan has muxed audio';

/** Restarts a generation, which is then planned again. */
export async function planAgain({ ctx, log }: JobRun<unknown>, content: Content, why: string): Promise<unknown> {
  const { id: contentId, generation } = content;
  await ctx.db.transaction((tx) => restartGeneration(ctx, tx, { contentId, generation }));
  log.warn({ contentId, generation, why }, 'generation planned again');
  return { restarted: generation };
}
