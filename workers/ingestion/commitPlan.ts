import { planContent } from '../../shared/content/generation.lifecycle.js';
import type { Content } from '../../shared/content/content.model.js';
import { mediaAllowanceOf } from '../../shared/license/mediaMinutes.service.js';
import type { Context } from '../../shared/platform/context.js';
import type { Prepared } from './prepareSource.js';
import { recordIngested } from './recordIngested.js';

/** Writes plan, chunks, their jobs, thumbnail and quota in one transaction. Resolves with false if the lease was lost. */
export async function commitPlan(
  ctx: Context,
  content: Content,
  leaseOwner: string,
  prepared: Prepared,
): Promise<boolean> {
  const { mediaSeconds, mayHaveCaptions, ...planned } = prepared;
  const isBehindOthers = (await mediaAllowanceOf(ctx, content.ownerId)) !== 'WITHIN';
  return ctx.db.transaction(async (tx) => {
    if (!(await planContent(ctx, tx, content, leaseOwner, { ...planned, isBehindOthers }))) return false;
    const { thumbnail, hasAudio } = planned;
    await recordIngested(ctx, tx, content, { thumbnail, mediaSeconds, mayHaveCaptions, hasAudio });
    return true;
  });
}
