import { notifyContentOwner } from '../../shared/box/contentNotice.service.js';
import type { GenerationPayload } from '../../shared/content/content.jobs.js';
import { failGeneration, type ContentFailure } from '../../shared/content/content.lifecycle.js';
import type { Context } from '../../shared/platform/context.js';

/** Fails a generation and mails its owner, once. False where the generation is no longer processed. */
export async function failContent(
  ctx: Context,
  { contentId, generation }: GenerationPayload,
  failure: ContentFailure,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const content = await failGeneration(ctx, tx, { contentId, generation }, failure);
    if (!content) return false;
    await notifyContentOwner(ctx, tx, content, 'contentFailed', (translate) => ({ reason: translate(failure.key) }));
    return true;
  });
}
