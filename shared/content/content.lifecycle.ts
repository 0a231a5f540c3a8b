import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { createChunks } from './chunk.lifecycle.js';
import { assembleContent, cleanContent, ingestContent, removeContent, type GenerationPayload } from './content.jobs.js';
import { ConflictError } from '../platform/errors.js';
import { Content } from './content.model.js';
import { ingestionPriority } from './chunkPriority.js';
import type { ContentPlan } from './plan.js';
import { processing } from './processing.js';
import { createRenditions, recordRenditionBytes } from './rendition.service.js';
import { gridOfPlan, planMapping } from './storedJson.js';

/*
 * Every transition of a content and of its generations. Each is a conditional update with the jobs that follow from it,
 * in the caller's transaction. No changed row means that the transition was made before, or is no longer possible.
 * The lease of ingestion: ingestion.lifecycle.ts. Chunks: chunk.lifecycle.ts. Diagram: docs/content-states.md.
 */

const longestDetail = 4_000;
const batchSize = 500;

export interface NewContent {
  readonly id: string;
  readonly ownerId: string;
  /** Storage key of the uploaded file; its folder belongs to this content alone. */
  readonly sourceKey: string;
  /** The name that the file was uploaded under. */
  readonly sourceName: string;
  readonly sourceBytes: number;
  /** Made of live segments. */
  readonly recorded?: boolean;
}

/**
 * A new content, PENDING, with its ingestion job. The file is stored already. Throws ConflictError where a deleted content
 * had the id, and a violation of `contents_pkey` where a content has it.
 */
export async function createContent(ctx: Context, tx: Transaction, input: NewContent): Promise<Content> {
  const now = ctx.clock.now();
  const priority = await ingestionPriority(ctx, tx, input.ownerId);
  const content = await ctx.db
    .model(Content)
    .create({ ...input, state: 'PENDING', createdAt: now, updatedAt: now }, { transaction: tx });
  // After the insert: an insert waits for a removal of the same id that is not committed yet.
  await assertNeverDeleted(ctx, tx, content.id);
  await ctx.outbox.add(tx, ingestContent, { contentId: content.id }, { priority });
  await ctx.search.markDirty(tx, 'content', content.id);
  return content;
}

async function assertNeverDeleted(ctx: Context, tx: Transaction, contentId: string): Promise<void> {
  const rows = await ctx.db.rows('SELECT 1 FROM deleted_contents WHERE content_id = $contentId', { contentId }, tx);
  if (rows.length > 0) throw new ConflictError({ key: 'content.idUsed' });
}

/** What ingestion has found out about a source. */
export interface IngestedMedia {
  readonly plan: ContentPlan;
  readonly thumbnail: { readonly id: string; readonly sizeBytes: number };
  /** Of the video, in pixels; null where there is none. */
  readonly width: number | null;
  readonly height: number | null;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  /** The chunks run when no other chunk waits. */
  readonly isBehindOthers: boolean;
}

/**
 * Writes the plan of the newest generation, its renditions, its chunks and their jobs, and ends the lease of ingestion.
 * False where the lease has been lost.
 */
export async function planContent(
  ctx: Context,
  tx: Transaction,
  content: Content,
  leaseOwner: string,
  { plan, thumbnail, isBehindOthers, ...media }: IngestedMedia,
): Promise<boolean> {
  const { id, ownerId, generation } = content;
  const changed = await ctx.db.change(
    `UPDATE contents
        SET plan = $plan::jsonb, duration_ms = $durationMs, width = $width, height = $height, has_video = $hasVideo,
            has_audio = $hasAudio, thumbnail_id = $thumbnailId, thumbnail_bytes = $thumbnailBytes,
            lease_owner = NULL, lease_until = NULL, failure_detail = NULL, updated_at = $now
      WHERE id = $id AND generation = $generation AND lease_owner = $leaseOwner AND plan IS NULL AND ${processing()}`,
    {
      id,
      generation,
      leaseOwner,
      plan: JSON.stringify(planMapping.write(plan)),
      durationMs: plan.durationMs,
      thumbnailId: thumbnail.id,
      thumbnailBytes: thumbnail.sizeBytes,
      width: media.width,
      height: media.height,
      hasVideo: media.hasVideo,
      hasAudio: media.hasAudio,
      now: ctx.clock.now(),
    },
    tx,
  );
  if (changed === 0) return false;
  await createRenditions(ctx, tx, { contentId: id, generation }, plan);
  await createChunks(ctx, tx, { id, ownerId, generation }, { chunkCount: plan.chunkCount, isBehindOthers });
  await ctx.search.markDirty(tx, 'content', id);
  return true;
}

/** Makes a generation the one that plays; `bytes` is the size of all its files. False where that is no longer possible. */
export async function completeGeneration(
  ctx: Context,
  tx: Transaction,
  { contentId, generation }: GenerationPayload,
  bytes: number,
): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE contents
        SET state = 'READY', ready_generation = $generation, ready_grid = ${gridOfPlan}, rendition_bytes = $bytes, failure_key = NULL, failure_detail = NULL,
            ready_at = coalesce(ready_at, $now), updated_at = $now
      WHERE id = $contentId AND generation = $generation AND ${processing()}`,
    { contentId, generation, bytes, now: ctx.clock.now() },
    tx,
  );
  if (changed === 0) return false;
  await recordRenditionBytes(ctx, tx, { contentId, generation });
  await ctx.outbox.add(tx, cleanContent, { contentId });
  await ctx.search.markDirty(tx, 'content', contentId);
  return true;
}

/** A message key for the owner, and the reason for operators. */
export interface ContentFailure {
  readonly key: string;
  readonly detail: string;
}

/**
 * Fails a generation. The content becomes FAILED unless an earlier generation plays. Resolves with the content, or with
 * null where the generation is no longer processed.
 */
export async function failGeneration(
  ctx: Context,
  tx: Transaction,
  { contentId, generation }: GenerationPayload,
  { key, detail }: ContentFailure,
): Promise<Content | null> {
  const changed = await ctx.db.change(
    `UPDATE contents
        SET failed_generation = generation, state = CASE WHEN state = 'PENDING' THEN 'FAILED' ELSE state END,
            failure_key = $key, failure_detail = $detail, lease_owner = NULL, lease_until = NULL, updated_at = $now
      WHERE id = $contentId AND generation = $generation AND ${processing()}`,
    { contentId, generation, key, detail: detail.slice(-longestDetail), now: ctx.clock.now() },
    tx,
  );
  if (changed === 0) return null;
  await ctx.outbox.add(tx, cleanContent, { contentId });
  await ctx.search.markDirty(tx, 'content', contentId);
  return ctx.db.model(Content).findByPk(contentId, { transaction: tx });
}

/**
 * Starts a new generation of a content that is READY or FAILED. A READY content plays the old one until then. False
 * where it is being processed, or gone.
 */
export async function transcodeAgain(ctx: Context, tx: Transaction, contentId: string): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE contents
        SET generation = generation + 1, attempt = 0, plan = NULL, failure_key = NULL, failure_detail = NULL,
            state = CASE WHEN state = 'FAILED' THEN 'PENDING' ELSE state END, updated_at = $now
      WHERE id = $contentId AND state IN ('READY', 'FAILED') AND NOT (${processing()})`,
    { contentId, now: ctx.clock.now() },
    tx,
  );
  if (changed === 0) return false;
  await ctx.outbox.add(tx, ingestContent, { contentId });
  await ctx.search.markDirty(tx, 'content', contentId);
  return true;
}

/** Any state to DELETED; a job removes files and rows. A worker that processes the content loses its lease. */
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

/**
 * Removes the row of a DELETED content, with its chunks and renditions. Its files must be gone. Its id is kept, so that it
 * is never given again: addresses, grants and caches refer to it. False where the content is not DELETED.
 */
export async function deleteContent(ctx: Context, tx: Transaction, contentId: string): Promise<boolean> {
  const deleted = await ctx.db.change(
    `WITH removed AS (DELETE FROM contents WHERE id = $contentId AND state = 'DELETED' RETURNING id)
     INSERT INTO deleted_contents (content_id, deleted_at) SELECT id, $now FROM removed`,
    { contentId, now: ctx.clock.now() },
    tx,
  );
  return deleted > 0;
}

/** Queues assembly again for generations whose chunks were all done before `before`. Resolves with their number. */
export async function requeueAssemblies(ctx: Context, before: Date): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const rows = await ctx.db.rows<GenerationPayload>(
      `UPDATE contents SET updated_at = $now
        WHERE id IN (SELECT c.id FROM contents c
                      WHERE c.plan IS NOT NULL AND ${processing('c')} AND c.updated_at < $before
                        AND NOT EXISTS (SELECT 1 FROM chunks k WHERE k.content_id = c.id AND k.generation = c.generation
                                           AND (k.state <> 'DONE' OR k.updated_at >= $before))
                      LIMIT $batchSize FOR UPDATE SKIP LOCKED)
        RETURNING id AS content_id, generation`,
      { now: ctx.clock.now(), before, batchSize },
      tx,
    );
    await ctx.outbox.addMany(
      tx,
      assembleContent,
      rows.map((payload) => ({ payload })),
    );
    return rows.length;
  });
}

/** Queues the removal again of contents that were DELETED before `before`. Resolves with their number. */
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
