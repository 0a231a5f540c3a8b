import type { Grid } from '../media/grid.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { createChunks } from './chunk.lifecycle.js';
import { firstPriority } from './chunkPriority.js';
import { cleanContent, ingestFully, makeStoryboard, type GenerationPayload } from './content.jobs.js';
import { Content } from './content.model.js';
import { observeReady } from './contentMetrics.js';
import { endIngestion, type IngestedSource } from './ingestion.lifecycle.js';
import { lease } from '../platform/lease/index.js';
import type { ContentPlan } from './plan.js';
import { processing } from './processing.js';
import { retainReadyGeneration } from './replacedGeneration.service.js';
import { createRenditions, recordRenditionBytes } from './rendition.service.js';

/*
 * The generations of a content: each is one complete result of processing. The first one is quick, so that the content plays
 * soon; the next one has all renditions (`docs/decisions/uploads.md#quick`). Each transition is a conditional update with the
 * jobs that follow from it, in the caller's transaction.
 */

const gridMembers: readonly (keyof Grid)[] = [
  'frameRate',
  'framesPerSegment',
  'frameCount',
  'segmentsPerChunk',
  'segmentCount',
  'chunkCount',
];
declare module '../platform/eventSubjects.js' {
  interface EventSubjects {
    /** The content plays, perhaps not in all renditions yet. */
    readonly 'content.ready': ContentSubject;
    /** All renditions are ready. */
    readonly 'content.complete': ContentSubject;
    /** The content, or its missing renditions, could not be processed. */
    readonly 'content.failed': ContentSubject;
    /** The recording of an event plays. */
    readonly 'recording.ready': ContentSubject;
  }
}

/** A content with its outcome at the time of the event: reprocessing may change it. */
export interface ContentSubject {
  readonly contentId: string;
  readonly state?: Content['state'];
  /** Reason of a failure. */
  readonly failureKey?: string | null;
}

/** SQL: the grid of the newest generation, from its stored plan. */
const gridOfPlan = `jsonb_build_object(${gridMembers.map((name) => `'${name}', plan -> '${name}'`).join(', ')})`;

const maxDetail = 4_000;

/** A generation that is to be encoded. */
export interface PlannedGeneration extends Omit<IngestedSource, 'plan' | 'durationMs'> {
  readonly plan: ContentPlan;
  /** The chunks run only when no other chunk waits. */
  readonly isBehindOthers: boolean;
}

/**
 * Writes the plan of the newest generation, its renditions, its chunks and their jobs, and releases the ingestion lease.
 * Returns false if the lease has been lost.
 */
export async function planContent(
  ctx: Context,
  tx: Transaction,
  content: Content,
  leaseOwner: string,
  { isBehindOthers, ...planned }: PlannedGeneration,
): Promise<boolean> {
  const { id, ownerId, generation } = content;
  const { plan, quick } = planned;
  const { durationMs, renditions, chunkCount } = plan;
  if (!(await endIngestion(ctx, tx, content, leaseOwner, { ...planned, durationMs }))) return false;
  await createRenditions(ctx, tx, { contentId: id, generation }, renditions);
  await createChunks(ctx, tx, { id, ownerId, generation, quick }, { chunkCount, isBehindOthers });
  await ctx.search.markDirty(tx, 'content', id);
  return true;
}

/**
 * Makes a generation the ready one; `bytes` is the size of all its files, `attempt` the attempt that has copied it. The previous
 * generation's files are kept while viewers may fetch them. After a quick generation the full one starts. Returns false if the
 * generation is no longer processed.
 */
export async function completeGeneration(
  ctx: Context,
  tx: Transaction,
  { contentId, generation }: GenerationPayload,
  bytes: number,
  attempt: number | null = null,
): Promise<boolean> {
  const now = ctx.clock.now();
  await retainReadyGeneration(ctx, tx, { contentId, generation });
  const [completed] = await ctx.db.rows<CompletedContent>(
    `UPDATE contents
        SET state = 'READY', ready_generation = $generation, ready_attempt = $attempt, ready_grid = CASE WHEN quick THEN NULL ELSE ${gridOfPlan} END,
            rendition_bytes = $bytes, growing = false, measured = CASE WHEN quick THEN measured END, failure_key = NULL, failure_detail = NULL,
            ready_at = coalesce(ready_at, $now), updated_at = $now
       FROM (SELECT id AS locked_id, ready_at AS ready_before FROM contents WHERE id = $contentId FOR UPDATE) before
      WHERE id = locked_id AND generation = $generation AND arrival IS NULL AND ${processing()}
      RETURNING owner_id, quick, recorded, coalesce(reprocessed_at, created_at) AS requested_at, ready_before IS NULL AS is_first,
                has_video IS TRUE AND storyboard IS NULL AS needs_storyboard`,
    { contentId, generation, bytes, attempt, now },
    tx,
  );
  if (!completed) return false;
  const { quick, requestedAt } = completed;
  const seconds = (now.getTime() - requestedAt.getTime()) / 1000;
  tx.afterCommit(() => observeReady(ctx.metrics, quick ? 'quick' : 'full', seconds));
  await recordRenditionBytes(ctx, tx, { contentId, generation });
  await startFullGeneration(ctx, tx, { contentId, generation });
  await ctx.outbox.add(tx, cleanContent, { contentId });
  if (completed.needsStoryboard) await ctx.outbox.add(tx, makeStoryboard, { contentId });
  await ctx.search.markDirty(tx, 'content', contentId);
  await recordCompletion(ctx, tx, contentId, completed);
  return true;
}

interface CompletedContent {
  readonly ownerId: string;
  readonly quick: boolean;
  readonly recorded: boolean;
  /** End of the upload, or the time of the reprocessing request. */
  readonly requestedAt: Date;
  readonly needsStoryboard: boolean;
  /** The content was never READY before. */
  readonly isFirst: boolean;
}

async function recordCompletion(
  ctx: Context,
  tx: Transaction,
  contentId: string,
  { ownerId, quick, recorded, isFirst }: CompletedContent,
): Promise<void> {
  const subject = { contentId, state: 'READY' } as const;
  if (isFirst) await ctx.events.record(tx, 'content.ready', ownerId, subject);
  if (isFirst && recorded) await ctx.events.record(tx, 'recording.ready', ownerId, subject);
  if (!quick) await ctx.events.record(tx, 'content.complete', ownerId, subject);
}

/**
 * Starts the full generation after a quick one that is READY or has failed. Does nothing if the generation is not a quick
 * one, or is no longer the newest.
 */
async function startFullGeneration(ctx: Context, tx: Transaction, generation: GenerationPayload): Promise<void> {
  await beginNext(ctx, tx, generation, { isPossible: "quick AND state IN ('PENDING', 'READY')", measured: 'measured' });
}

/**
 * Starts a full generation that replaces the newest one. Returns false if `isPossible` does not hold, or the generation is not
 * the newest. `measured`: stored facts about the source. Both are SQL.
 */
async function beginNext(
  ctx: Context,
  tx: Transaction,
  { contentId, generation }: GenerationPayload,
  { isPossible, measured }: { readonly isPossible: string; readonly measured: 'measured' | 'NULL' },
): Promise<boolean> {
  const [content] = await ctx.db.rows<{ ownerId: string }>(
    `UPDATE contents
        SET generation = generation + 1, quick = false, growing = false, attempt = 0, returns = 0, progress = 0, plan = NULL, last_priority = NULL, measured = ${measured},
            ${lease.released},
            updated_at = $now
      WHERE id = $contentId AND generation = $generation AND ${isPossible}
      RETURNING owner_id`,
    { contentId, generation, now: ctx.clock.now() },
    tx,
  );
  if (content) await queueFullIngestion(ctx, tx, { contentId, ownerId: content.ownerId });
  return content !== undefined;
}

/** Enqueues the ingestion of a full generation, with a fair priority among the chunks of full generations. */
export async function queueFullIngestion(
  ctx: Context,
  tx: Transaction,
  { contentId, ownerId }: { readonly contentId: string; readonly ownerId: string },
): Promise<void> {
  const priority = await firstPriority(ctx, tx, { ownerId, quick: false, isBehindOthers: false });
  await ctx.outbox.add(tx, ingestFully, { contentId }, { priority });
}

/**
 * Gives up a quick generation that cannot be encoded: the full one starts at once, and the content stays PENDING. Returns
 * false if the generation is not a quick one, or is no longer processed.
 */
export async function abandonQuickGeneration(
  ctx: Context,
  tx: Transaction,
  { contentId, generation }: GenerationPayload,
): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE contents SET failed_generation = generation, updated_at = $now
      WHERE id = $contentId AND generation = $generation AND quick AND ${processing()}`,
    { contentId, generation, now: ctx.clock.now() },
    tx,
  );
  if (changed === 0) return false;
  await startFullGeneration(ctx, tx, { contentId, generation });
  await ctx.outbox.add(tx, cleanContent, { contentId });
  return true;
}

/** Replaces a generation with a new full one, from the start. Does nothing if it is no longer processed. */
export async function restartGeneration(
  ctx: Context,
  tx: Transaction,
  { contentId, generation }: GenerationPayload,
): Promise<void> {
  if (await beginNext(ctx, tx, { contentId, generation }, { isPossible: processing(), measured: 'NULL' }))
    await ctx.outbox.add(tx, cleanContent, { contentId });
}

/** Lets the owner watch the stored part of a generation. Returns false if it is no longer processed. */
export async function offerGrowingPlaylist(
  ctx: Context,
  { contentId, generation }: GenerationPayload,
  durationMs: number,
): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE contents SET growing = true, duration_ms = $durationMs, updated_at = $now
      WHERE id = $contentId AND generation = $generation AND quick AND NOT growing AND ${processing()}`,
    { contentId, generation, durationMs, now: ctx.clock.now() },
  );
  return changed > 0;
}

/**
 * Reverts `offerGrowingPlaylist`, by the ingestion lease's owner: the stored part is unused. Returns false if the lease has
 * been lost.
 */
export async function withdrawGrowingPlaylist(
  ctx: Context,
  { contentId, generation }: GenerationPayload,
  leaseOwner: string,
): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE contents SET growing = false, progress = 0, updated_at = $now
      WHERE id = $contentId AND generation = $generation AND ${lease.held} AND ${processing()}`,
    { contentId, generation, leaseOwner, now: ctx.clock.now() },
  );
  return changed > 0;
}

/** A message key for the owner, and the reason for operators. */
export interface ContentFailure {
  readonly key: string;
  readonly detail: string;
}

/**
 * Fails a generation. The content becomes FAILED unless an earlier generation plays. Resolves with the content, or with null
 * if the generation is no longer processed.
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
            arrival = NULL, growing = false, failure_key = $key, failure_detail = $detail, ${lease.released}, updated_at = $now
      WHERE id = $contentId AND generation = $generation AND ${processing()}`,
    { contentId, generation, key, detail: detail.slice(-maxDetail), now: ctx.clock.now() },
    tx,
  );
  if (changed === 0) return null;
  await ctx.outbox.add(tx, cleanContent, { contentId });
  await ctx.search.markDirty(tx, 'content', contentId);
  const content = await ctx.db.model(Content).findByPk(contentId, { transaction: tx, rejectOnEmpty: true });
  const { ownerId, state, failureKey } = content;
  await ctx.events.record(tx, 'content.failed', ownerId, { contentId, state, failureKey });
  return content;
}
