import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { lease } from '../platform/lease/index.js';
import { findContent } from './content.queries.js';
import { queueFullIngestion } from './generation.lifecycle.js';
import { isProcessing, processing } from './processing.js';

/*
 * Reprocessing of a content from its stored source after its processing has ended: a FAILED content becomes PENDING; a READY one
 * plays its current generation until the new one is complete. `docs/contract.md#choices-reprocessing`.
 */

/** Maximum reprocessings that an owner may request for one content. Operators are not limited. */
export const maxOwnerReprocessings = 3;

const batchSize = 500;

export type ReprocessingOutcome = 'BEGUN' | 'IN_PROGRESS' | 'TOO_OFTEN' | 'SOURCE_GONE' | 'DELETED';

/** The requester. `alongside`: further writes of the caller in the same transaction. */
export interface ReprocessingRequest {
  readonly by: 'OWNER' | 'OPERATOR';
  readonly alongside?: (tx: Transaction) => Promise<void>;
}

/**
 * Starts a full generation of a content, which reads only the source. Of several concurrent requests one starts it; the others get
 * IN_PROGRESS.
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

/**
 * Returns false if the content was deleted or restarted since it was read. An owner's request counts media minutes again if all
 * renditions play already.
 */
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
            reprocessings = reprocessings + $isOwner::boolean::integer, reprocessed_at = $now, ${lease.released}, updated_at = $now
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

/** A period of time; the end is exclusive. */
export interface Period {
  readonly from: Date;
  readonly until: Date;
}

/** A content that an operator may reprocess. */
export interface ReprocessableContent {
  readonly id: string;
  readonly state: 'READY' | 'FAILED';
  readonly failureKey: string | null;
  readonly sourceName: string;
}

/**
 * Contents whose processing has ended, in the order of their ids, after the id `after`: contents that failed in a period with this
 * key, or, without a key, contents uploaded in the period.
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
