import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import {
  assembleContent,
  followContent,
  ingestContent,
  removeContent,
  type GenerationPayload,
} from './content.jobs.js';
import { newFolder } from './storageKeys.js';
import { ConflictError } from '../platform/errors.js';
import { Content, DeletedContent, type ContentArrival } from './content.model.js';
import { ingestionPriority } from './chunkPriority.js';
import { processing } from './processing.js';

/*
 * Creation and deletion of contents. Each transition is a conditional update with the jobs that follow from it, in the
 * caller's transaction. No changed row means that the transition was made before, or is no longer possible.
 * Generations: generation.lifecycle.ts. Ingestion lease: ingestion.lifecycle.ts. Chunks: chunk.lifecycle.ts.
 * Diagram: docs/architecture.md#content-states.
 */

const batchSize = 500;

export interface NewContent {
  readonly id: string;
  readonly ownerId: string;
  /** Storage key of the uploaded file; its folder belongs to this content alone. */
  readonly sourceKey: string;
  /** Original name of the uploaded file. */
  readonly sourceName: string;
  readonly sourceBytes: number;
  /** Joined from live segments. */
  readonly recorded?: boolean;
  /**
   * The source still arrives: the caller later calls `arriveContent`, `discardContent` or `failGeneration`. `sourceBytes` is an
   * upper bound.
   */
  readonly arrival?: ContentArrival;
}

/**
 * Creates a PENDING content with its ingestion job. Its first generation is quick, unless `QUICK_GENERATION` is off. The file
 * is already stored. Throws ConflictError if a deleted content had the id, and a violation of `contents_pkey` if a content
 * has it.
 */
export async function createContent(
  ctx: Context,
  tx: Transaction,
  { arrival, ...input }: NewContent,
): Promise<Content> {
  const now = ctx.clock.now();
  const priority = await ingestionPriority(ctx, tx, input.ownerId);
  const begun = {
    folder: newFolder(input.id),
    state: 'PENDING' as const,
    quick: ctx.config.media.quickGeneration,
    arrival: arrival ?? null,
  };
  const content = await ctx.db
    .model(Content)
    .create({ ...input, ...begun, createdAt: now, updatedAt: now }, { transaction: tx });
  // Checked after the insert, which waits for an uncommitted removal of the same id.
  await assertNeverDeleted(ctx, tx, content.id);
  const job = arrival ? followContent : ingestContent;
  if (arrival !== 'AWAITED') await ctx.outbox.add(tx, job, { contentId: content.id }, { priority });
  await ctx.search.markDirty(tx, 'content', content.id);
  return content;
}

/**
 * Marks the source of a content as complete: its time to READY starts now. A worker that follows the source continues. Returns
 * false if the content was not arriving, or was discarded.
 */
export async function arriveContent(
  ctx: Context,
  tx: Transaction,
  { id, ownerId, sourceName, sourceBytes }: NewContent,
): Promise<boolean> {
  const now = ctx.clock.now();
  const arrived = await ctx.db.change(
    `UPDATE contents SET arrival = NULL, source_name = $sourceName, source_bytes = $sourceBytes, created_at = $now, updated_at = $now
      WHERE id = $id AND owner_id = $ownerId AND arrival IS NOT NULL AND state = 'PENDING'`,
    { id, ownerId, sourceName, sourceBytes, now },
    tx,
  );
  if (arrived === 0) return false;
  const priority = await ingestionPriority(ctx, tx, ownerId);
  await ctx.outbox.add(tx, ingestContent, { contentId: id }, { priority });
  return true;
}

/** Throws ConflictError if a deleted content had the id. */
export async function assertNeverDeleted(ctx: Context, tx: Transaction, contentId: string): Promise<void> {
  if (await ctx.db.model(DeletedContent).findByPk(contentId, { transaction: tx }))
    throw new ConflictError({ key: 'content.idUsed' });
}

/** Any state to DELETED; a job removes files and rows. A worker that processes the content then fails to renew its lease. */
export async function discardContent(ctx: Context, tx: Transaction, contentId: string): Promise<void> {
  const changed = await ctx.db.change(
    `UPDATE contents SET state = 'DELETED', updated_at = $now WHERE id = $contentId AND state <> 'DELETED'`,
    { contentId, now: ctx.clock.now() },
    tx,
  );
  if (changed === 0) return;
  await ctx.outbox.add(tx, removeContent, { contentId });
  await ctx.search.markDirty(tx, 'content', contentId);
}

/** Discards a content whose source still arrives, and keeps the source for another content. */
export async function replaceContent(ctx: Context, tx: Transaction, contentId: string): Promise<void> {
  const sourceKey = `sources/${contentId}/none`;
  await ctx.db.model(Content).update({ sourceKey }, { where: { id: contentId }, transaction: tx });
  await discardContent(ctx, tx, contentId);
}

/**
 * Removes the row of a DELETED content, with its chunks and renditions. Its files must be removed before. Its id is recorded
 * and never reused, because addresses, grants and caches refer to it. Returns false if the content is not DELETED.
 */
export async function deleteContent(ctx: Context, tx: Transaction, contentId: string): Promise<boolean> {
  const deleted = await ctx.db.change(
    `WITH removed AS (DELETE FROM contents WHERE id = $contentId AND state = 'DELETED' RETURNING id, folder)
     INSERT INTO deleted_contents (content_id, folder, deleted_at) SELECT id, folder, $now FROM removed`,
    { contentId, now: ctx.clock.now() },
    tx,
  );
  return deleted > 0;
}

/**
 * Enqueues assembly again for generations whose chunks were all DONE before `before`. Resolves with their number. Each call checks
 * one batch, least recently checked first: a hundred thousand generations may be waiting for their chunks.
 */
export async function requeueAssemblies(ctx: Context, before: Date): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const rows = await ctx.db.rows<GenerationPayload & { readonly isComplete: boolean }>(
      `UPDATE contents SET updated_at = $now
        WHERE id IN (SELECT id FROM contents WHERE plan IS NOT NULL AND ${processing()} AND updated_at < $before
                      ORDER BY updated_at LIMIT $batchSize FOR UPDATE SKIP LOCKED)
        RETURNING id AS content_id, generation,
                  (SELECT 1 FROM chunks WHERE content_id = contents.id AND chunks.generation = contents.generation
                      AND (chunks.state <> 'DONE' OR chunks.updated_at >= $before) LIMIT 1) IS NULL AS is_complete`,
      { now: ctx.clock.now(), before, batchSize },
      tx,
    );
    const complete = rows.filter(({ isComplete }) => isComplete);
    await ctx.outbox.addMany(
      tx,
      assembleContent,
      complete.map(({ contentId, generation }) => ({ payload: { contentId, generation } })),
    );
    return complete.length;
  });
}

/** Enqueues the removal of contents that were DELETED before `before` again. Resolves with their number. */
export async function requeueRemovals(ctx: Context, before: Date): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const rows = await ctx.db.rows<{ contentId: string }>(
      `UPDATE contents SET updated_at = $now
        WHERE id IN (SELECT id FROM contents WHERE state = 'DELETED' AND updated_at < $before LIMIT $batchSize FOR UPDATE SKIP LOCKED)
        RETURNING id AS content_id`,
      { now: ctx.clock.now(), before, batchSize },
      tx,
    );
    await ctx.outbox.addMany(
      tx,
      removeContent,
      rows.map((payload) => ({ payload })),
    );
    return rows.length;
  });
}
