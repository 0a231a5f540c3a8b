import { notifyContentOwner } from '../../shared/box/contentNotice.service.js';
import type { GenerationPayload } from '../../shared/content/content.jobs.js';
import {
  abandonQuickGeneration,
  failGeneration,
  type ContentFailure,
} from '../../shared/content/generation.lifecycle.js';
import type { Context } from '../../shared/platform/context.js';

/** Fails a generation and mails the owner of the content once. Resolves with false if the generation is no longer processed. */
export async function failContent(
  ctx: Context,
  { contentId, generation }: GenerationPayload,
  failure: ContentFailure,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const content = await failGeneration(ctx, tx, { contentId, generation }, failure);
    if (!content) return false;
    const mail = content.state === 'READY' && content.readyGrid === null ? 'renditionsFailed' : 'contentFailed';
    await notifyContentOwner(ctx, tx, content, mail, (translate) => ({ reason: translate(failure.key) }));
    return true;
  });
}

/**
 * Handles a plan that cannot be encoded. If it is a quick generation, the full generation starts instead; otherwise the content
 * fails.
 */
export async function failEncoding(
  ctx: Context,
  generation: GenerationPayload,
  failure: ContentFailure,
): Promise<void> {
  const isAbandoned = await ctx.db.transaction((tx) => abandonQuickGeneration(ctx, tx, generation));
  if (isAbandoned)
    ctx.log.warn({ ...generation, detail: failure.detail }, 'quick generation failed: the full one begins');
  else await failContent(ctx, generation, failure);
}
