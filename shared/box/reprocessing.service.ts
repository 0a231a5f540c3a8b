import {
  maxOwnerReprocessings,
  reprocessContent,
  type ReprocessingOutcome,
} from '../content/reprocessing.lifecycle.js';
import { assertMayProcess, recordMediaSeconds, uploadSeconds } from '../license/mediaMinutes.service.js';
import type { Context } from '../platform/context.js';
import { ConflictError, NotFoundError } from '../platform/errors.js';
import { editableContentOf } from './box.queries.js';

/** Message keys (`box.messages.ts`) of the reasons to reject a reprocessing. */
const refusals = {
  IN_PROGRESS: 'box.reprocessing.inProgress',
  TOO_OFTEN: 'box.reprocessing.tooOften',
  SOURCE_GONE: 'box.reprocessing.sourceGone',
} as const satisfies Partial<Record<ReprocessingOutcome, string>>;

/**
 * Processes an owner's item again, from its stored source. A reprocessing counts the same fixed media seconds as an upload. It
 * also counts the content's media seconds, unless they were already counted and some renditions are missing. Throws
 * NotFoundError, ForbiddenError, QuotaExceededError, ConflictError.
 */
export async function reprocessItem(ctx: Context, ownerId: string, boxId: string): Promise<void> {
  const contentId = await editableContentOf(ctx, ownerId, boxId);
  await assertMayProcess(ctx, ownerId);
  const outcome = await reprocessContent(ctx, contentId, {
    by: 'OWNER',
    alongside: (tx) => recordMediaSeconds(ctx, tx, ownerId, uploadSeconds),
  });
  if (outcome === 'DELETED') throw new NotFoundError();
  if (outcome !== 'BEGUN')
    throw new ConflictError({ key: refusals[outcome], values: { limit: maxOwnerReprocessings } });
}
