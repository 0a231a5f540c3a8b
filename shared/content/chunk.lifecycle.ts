import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { firstPriority, priorityAt } from './chunkPriority.js';
import type { ChunkResult } from './chunkResult.js';
import { transcodeChunk, transcodeQuickChunk, type ChunkPayload, type GenerationPayload } from './content.jobs.js';
import { Content } from './content.model.js';
import { lease, leaseSeconds, type Claim } from '../platform/lease/index.js';
import type { ContentPlan } from './plan.js';
import { processing } from './processing.js';
import type { RetainedFiles } from './retainedFiles.js';
import { clearInits, recordInits } from './rendition.service.js';

/*
 * All transitions of a chunk: PENDING, RUNNING under a lease, DONE. Each is a conditional update. No changed row means
 * that another worker was first, or that the generation is no longer processed; the caller then stops.
 * Diagram: docs/architecture.md#content-states.
 */

export interface ChunkWork {
  readonly content: Content;
  readonly plan: ContentPlan;
  readonly attempt: number;
  readonly returns: number;
  /** Number of failures caused by the chunk's own media. */
  readonly failures: number;
}

/** A chunk that has waited this long is enqueued again, in case its job was lost. */
const waitMs = 15 * 60_000;
const batchSize = 500;

const thisChunk = 'content_id = $contentId AND generation = $generation AND position = $chunk';
const isProcessed = `EXISTS (SELECT 1 FROM contents WHERE id = $contentId AND contents.generation = $generation AND ${processing()})`;

function bindsOf({ contentId, generation, chunk }: ChunkPayload): Record<string, unknown> {
  return { contentId, generation, chunk };
}

/**
 * Creates the PENDING chunks of a planned generation, with a job for each. `isBehindOthers`: they run only when no other
 * chunk waits.
 */
export async function createChunks(
  ctx: Context,
  tx: Transaction,
  content: Pick<Content, 'id' | 'ownerId' | 'generation' | 'quick'>,
  { chunkCount, isBehindOthers }: { readonly chunkCount: number; readonly isBehindOthers: boolean },
): Promise<void> {
  const { id: contentId, ownerId, generation, quick } = content;
  const first = await firstPriority(ctx, tx, { ownerId, quick, isBehindOthers });
  const priorities = Array.from({ length: chunkCount }, (_, position) => priorityAt(first, position));
  await ctx.db.change(
    `INSERT INTO chunks (content_id, generation, position, state, quick, priority, updated_at)
     SELECT $contentId, $generation, position - 1, 'PENDING', $quick, priority, $now
       FROM unnest($priorities::integer[]) WITH ORDINALITY AS chunk (priority, position)`,
    { contentId, generation, quick, priorities, now: ctx.clock.now() },
    tx,
  );
  const lastPriority = priorities.at(-1) ?? first;
  await ctx.db.model(Content).update({ lastPriority }, { where: { id: contentId }, transaction: tx });
  await enqueue(
    ctx,
    tx,
    priorities.map((priority, chunk) => ({ contentId, generation, chunk, priority, quick })),
  );
}

/** PENDING, or RUNNING with an expired lease, to RUNNING under the lease of `leaseOwner`. */
export async function claimChunk(ctx: Context, payload: ChunkPayload, leaseOwner: string): Promise<Claim<ChunkWork>> {
  const binds = bindsOf(payload);
  await ctx.db.change(
    `UPDATE chunks
        SET state = 'RUNNING', attempt = attempt + 1, ${lease.taken}, progress = 0, updated_at = $now
      WHERE ${thisChunk} AND (state = 'PENDING' OR (state = 'RUNNING' AND ${lease.ended})) AND ${isProcessed}`,
    { ...binds, leaseOwner, leaseSeconds: leaseSeconds(ctx), now: ctx.clock.now() },
  );
  const [row] = await ctx.db.rows<LeaseRow>(
    `SELECT state, attempt, returns, failures, lease_owner, lease_until FROM chunks WHERE ${thisChunk} AND ${isProcessed}`,
    binds,
  );
  if (row?.state !== 'RUNNING' || row.leaseUntil === null) return { outcome: 'nothing' };
  if (row.leaseOwner !== leaseOwner) return { outcome: 'heldElsewhere', until: row.leaseUntil };
  const content = await ctx.db.model(Content).findByPk(payload.contentId);
  if (!content?.plan) return { outcome: 'nothing' };
  const { attempt, returns, failures } = row;
  return { outcome: 'claimed', work: { content, plan: content.plan, attempt, returns, failures } };
}

interface LeaseRow {
  readonly state: string;
  readonly attempt: number;
  readonly returns: number;
  readonly failures: number;
  readonly leaseOwner: string | null;
  readonly leaseUntil: Date | null;
}

/**
 * Renews the lease and writes the progress, 0..1. Returns false if the lease has been lost, or the generation is no longer
 * processed.
 */
export async function renewChunk(
  ctx: Context,
  payload: ChunkPayload,
  leaseOwner: string,
  progress: number,
): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE chunks SET ${lease.renewed}, progress = $progress
      WHERE ${thisChunk} AND state = 'RUNNING' AND ${lease.held} AND ${isProcessed}`,
    { ...bindsOf(payload), leaseOwner, progress, leaseSeconds: leaseSeconds(ctx) },
  );
  return changed > 0;
}

/**
 * RUNNING to PENDING, by the lease owner. `fault`: a failure of the chunk's own media, which is counted. `returned`: the
 * attempt does not count. Resolves with the number of failures of the chunk's own media.
 */
export async function releaseChunk(
  ctx: Context,
  payload: ChunkPayload,
  leaseOwner: string,
  { fault, returned }: { readonly fault: string | null; readonly returned: boolean },
): Promise<number> {
  const rows = await ctx.db.rows<{ failures: number }>(
    `UPDATE chunks
        SET state = 'PENDING', ${lease.released}, progress = 0, updated_at = $now,
            failures = failures + CASE WHEN $fault::text IS NULL THEN 0 ELSE 1 END, failure_detail = coalesce($fault, failure_detail),
            returns = returns + $returned::boolean::integer
      WHERE ${thisChunk} AND state = 'RUNNING' AND ${lease.held}
      RETURNING failures`,
    { ...bindsOf(payload), leaseOwner, fault, returned, now: ctx.clock.now() },
  );
  return rows[0]?.failures ?? 0;
}

/** RUNNING to DONE, by the lease owner. Returns false if the lease was lost: the stored files are then unused. */
export async function completeChunk(
  ctx: Context,
  tx: Transaction,
  payload: ChunkPayload,
  leaseOwner: string,
  done: { readonly folder: string; readonly result: ChunkResult },
): Promise<boolean> {
  const result = JSON.stringify(done.result);
  const changed = await ctx.db.change(
    `UPDATE chunks
        SET state = 'DONE', progress = 1, folder = $folder, result = $result::jsonb, ${lease.released},
            failure_detail = NULL, updated_at = $now
      WHERE ${thisChunk} AND state = 'RUNNING' AND ${lease.held} AND ${isProcessed}`,
    { ...bindsOf(payload), leaseOwner, folder: done.folder, result, now: ctx.clock.now() },
    tx,
  );
  if (changed === 0) return false;
  await recordInits(ctx, tx, payload, done.result);
  return true;
}

/** DONE to PENDING, for chunks whose stored files are missing, with a job for each. */
export async function reopenChunks(
  ctx: Context,
  { contentId, generation }: GenerationPayload,
  positions: readonly number[],
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const reopened = await ctx.db.rows<QueuedChunk>(
      `UPDATE chunks SET state = 'PENDING', progress = 0, folder = NULL, result = NULL, failures = failures + 1, updated_at = $now
        WHERE content_id = $contentId AND generation = $generation AND position = ANY($positions::int[])
          AND state = 'DONE' AND ${isProcessed}
        RETURNING content_id, generation, position AS chunk, priority, ${isQuick}`,
      { contentId, generation, positions, now: ctx.clock.now() },
      tx,
    );
    // The initialisation segments may be among the missing files.
    await clearInits(ctx, tx, { contentId, generation });
    await enqueue(ctx, tx, reopened);
  });
}

/**
 * Enqueues again the chunks of dead workers (RUNNING to PENDING), and chunks that have waited so long that their job may be
 * lost. Resolves with their number.
 */
export async function requeueLostChunks(ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const lost = await ctx.db.rows<QueuedChunk>(
      `UPDATE chunks SET state = 'PENDING', ${lease.released}, updated_at = $now
        WHERE (content_id, generation, position) IN (
          SELECT k.content_id, k.generation, k.position
            FROM chunks k JOIN contents c ON c.id = k.content_id AND c.generation = k.generation
           WHERE ((k.state = 'RUNNING' AND k.${lease.ended}) OR (k.state = 'PENDING' AND k.updated_at < $before))
             AND ${processing('c')}
           ORDER BY k.priority LIMIT $batchSize FOR UPDATE OF k SKIP LOCKED)
        RETURNING content_id, generation, position AS chunk, priority, ${isQuick}`,
      { now, before: new Date(now.getTime() - waitMs), batchSize },
      tx,
    );
    await enqueue(ctx, tx, lost);
    return lost.length;
  });
}

/** SQL for the RETURNING clause of statements that change `chunks`. */
const isQuick = '(SELECT quick FROM contents WHERE contents.id = chunks.content_id) AS quick';

interface QueuedChunk extends ChunkPayload {
  readonly priority: number;
  readonly quick: boolean;
}

async function enqueue(ctx: Context, tx: Transaction, chunks: readonly QueuedChunk[]): Promise<void> {
  for (const job of [transcodeQuickChunk, transcodeChunk]) {
    const ofJob = chunks.filter(({ quick }) => quick === (job === transcodeQuickChunk));
    await ctx.outbox.addMany(
      tx,
      job,
      ofJob.map(({ priority, quick: _quick, ...payload }) => ({ payload, options: { priority } })),
    );
  }
}

/** Removes the chunk and rendition rows of unneeded generations. */
export async function deleteObsoleteGenerations(ctx: Context, retained: RetainedFiles): Promise<void> {
  const { content, newest, processing: processed, playing } = retained;
  const needed = [...(processed === null ? [] : [processed]), ...playing.map(({ generation }) => generation)];
  for (const table of ['chunks', 'renditions']) {
    await ctx.db.change(
      `DELETE FROM ${table} WHERE content_id = $contentId AND generation <= $newest AND generation <> ALL($needed::int[])`,
      { contentId: content.id, newest, needed },
    );
  }
}
