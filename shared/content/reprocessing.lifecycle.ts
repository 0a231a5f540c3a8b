import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { lease } from '../platform/lease/index.js';
import { findContent } from './content.queries.js';
import { queueFullIngestion } from './generation.lifecycle.js';
import { isProcessing, processing } from './processing.js';

/*
 * A content whose processing has ended is processed again from its stored source: a FAILED one becomes PENDING; a READY one keeps
 * playing its generation until the new one is complete. `docs/contract.md#choices-reprocessing`.
 */

/** What owners may request for one content. Operators are not limited. */
export const maxOwnerReprocessings = 3;

const batchSize = 500;

export type ReprocessingOutcome = 'BEGUN' | 'IN_PROGRESS' | 'TOO_OFTEN' | 'SOURCE_GONE' | 'DELETED';

/** Who requests it. `alongside`: what the caller writes in the same transaction. */
export interface ReprocessingRequest {
  readonly by: 'OWNER' | 'OPERATOR';
  readonly alongside?: (tx: Transaction) => Promise<void>;
}

/**
 * Begins another generation of a content, a full one that is made from the source alone. Of several requests at the same time one
 * begins it; the others get IN_PROGRESS.
 */
export async function reprocessContent(
  ctx: Context,
  contentId: string,
  request: ReprocessingRequest,
): Promise<ReprocessingOutcome> {
  const content = await findContent(ctx, contentId);
  if (!content || content.state === 'DELETED') return 'DELETED';
  if (isProcessing(content)) return 'IN_PROGRESS';
  if (request.by === 'OWNER' && content.reprocessings >= maxOwnerReprocessings) return 'TOO_OFTEN';
  if (!(await ctx.storage.stat(content.sourceKey))) return 'SOURCE_GONE';
  const hasBegun = await ctx.db.transaction((tx) => beginAgain(ctx, tx, content, request));
  if (hasBegun) return 'BEGUN';
  return (await findContent(ctx, contentId))?.state === 'DELETED' ? 'DELETED' : 'IN_PROGRESS';
}

/** False where the content was deleted or begun again since it was read. An owner pays for what plays completely already. */
async function beginAgain(
  ctx: Context,
  tx: Transaction,
  { id: contentId, generation }: { readonly id: string; readonly generation: number },
  { by, alongside }: ReprocessingRequest,
): Promise<boolean> {
  const [begun] = await ctx.db.rows<{ ownerId: string }>(
    `UPDATE contents
        SET generation = generation + 1, state = CASE WHEN state = 'FAILED' THEN 'PENDING' ELSE state END, quick = false, growing = false,
            attempt = 0, returns = 0, progress = 0, plan = NULL, last_priority = NULL, measured = NULL, failure_key = NULL, failure_detail = NULL,
            media_counted = media_counted AND NOT ($isOwner::boolean AND state = 'READY' AND ready_grid IS NOT NULL),
            reprocessings = reprocessings + $isOwner::boolean::integer, reprocessed_at = $now, ${lease.returned}, updated_at = $now
      WHERE id = $contentId AND generation = $generation AND state IN ('READY', 'FAILED') AND NOT (${processing()})
      RETURNING owner_id`,
    { contentId, generation, isOwner: by === 'OWNER', now: ctx.clock.now() },
    tx,
  );
  if (!begun) return false;
  await queueFullIngestion(ctx, tx, { contentId, ownerId: begun.ownerId });
  await ctx.search.markDirty(tx, 'content', contentId);
  await alongside?.(tx);
  return true;
}

/** A time: its beginning, and its end, which is exclusive. */
export interface Period {
  readonly from: Date;
  readonly until: Date;
}

/** A content that an operator may have processed again. */
export interface ReprocessableContent {
  readonly id: string;
  readonly state: 'READY' | 'FAILED';
  readonly failureKey: string | null;
  readonly sourceName: string;
}

/**
 * Contents whose processing has ended, in the order of their ids, from the one behind `after` on: those that failed in a period with this
 * key, or, without a key, those that were uploaded in it.
 */
export async function reprocessableContents(
  ctx: Context,
  { from, until }: Period,
  failureKey: string | null,
  after: string,
): Promise<ReprocessableContent[]> {
  return ctx.db.rows<ReprocessableContent>(
    `SELECT id, state, failure_key, source_name FROM contents
      WHERE id > $after AND state IN ('READY', 'FAILED') AND NOT (${processing()})
        AND CASE WHEN $failureKey::text IS NULL THEN created_at >= $from AND created_at < $until
                 ELSE failure_key = $failureKey AND updated_at >= $from AND updated_at < $until END
      ORDER BY id LIMIT $batchSize`,
    { from, until, failureKey, after, batchSize },
  );
}
