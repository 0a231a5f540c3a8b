import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { transcodeChunk, type ChunkPayload } from './content.jobs.js';
import { Content } from './content.model.js';
import { processing, leaseEnd, type Claim } from './making.js';
import type { ContentPlan } from './plan.js';

/** What a chunk job has stored in one rung. */
export interface ChunkRendition {
  /** Size of each segment. */
  readonly bytes: readonly number[];
  /** Key of the initialisation segment: named after its bytes, so equal for all chunks. */
  readonly initKey: string;
  readonly initBytes: number;
  readonly codecs: string;
  /** In the chunk that holds the end of the preview: sizes of the cut segment and of its own initialisation segment. */
  readonly tail?: { readonly bytes: number; readonly initBytes: number };
}

export interface ChunkResult {
  readonly renditions: Readonly<Record<string, ChunkRendition>>;
}

export interface ChunkWork {
  readonly content: Content;
  readonly plan: ContentPlan;
  readonly attempt: number;
  /** How often its own media have been at fault. */
  readonly failures: number;
}

export interface ChunkRow {
  readonly position: number;
  readonly state: 'PENDING' | 'RUNNING' | 'DONE' | 'FAILED';
  readonly priority: number;
  readonly folder: string | null;
  readonly result: ChunkResult | null;
}

interface LeaseRow {
  readonly state: string;
  readonly attempt: number;
  readonly failures: number;
  readonly leaseOwner: string | null;
  readonly leaseUntil: Date | null;
}

const thisChunk = 'content_id = $contentId AND generation = $generation AND position = $chunk';
const wanted = `EXISTS (SELECT 1 FROM contents WHERE id = $contentId AND generation = $generation AND ${processing})`;

function bindsOf({ contentId, generation, chunk }: ChunkPayload): Record<string, unknown> {
  return { contentId, generation, chunk };
}

/** Takes a chunk that waits, or whose worker has died. */
export async function claimChunk(ctx: Context, payload: ChunkPayload, owner: string): Promise<Claim<ChunkWork>> {
  const binds = bindsOf(payload);
  await ctx.db.change(
    `UPDATE chunks
        SET state = 'RUNNING', attempt = attempt + 1, lease_owner = $owner, lease_until = $until, progress = 0, updated_at = $now
      WHERE ${thisChunk} AND (state = 'PENDING' OR (state = 'RUNNING' AND lease_until < $now)) AND ${wanted}`,
    { ...binds, owner, until: leaseEnd(ctx), now: ctx.clock.now() },
  );
  const [row] = await ctx.db.rows<LeaseRow>(
    `SELECT state, attempt, failures, lease_owner, lease_until FROM chunks WHERE ${thisChunk} AND ${wanted}`,
    binds,
  );
  if (row?.state !== 'RUNNING') return { outcome: 'nothing' };
  if (row.leaseOwner !== owner) return { outcome: 'taken', until: row.leaseUntil ?? ctx.clock.now() };
  const content = await ctx.db.model(Content).findByPk(payload.contentId);
  return content?.plan
    ? { outcome: 'mine', work: { content, plan: content.plan, attempt: row.attempt, failures: row.failures } }
    : { outcome: 'nothing' };
}

/** Renews the lease and writes down how far the work is (0..1). False where the lease has been lost, or nobody wants the chunk. */
export async function renewChunk(
  ctx: Context,
  payload: ChunkPayload,
  owner: string,
  progress: number,
): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE chunks SET lease_until = $until, progress = $progress
      WHERE ${thisChunk} AND state = 'RUNNING' AND lease_owner = $owner AND ${wanted}`,
    { ...bindsOf(payload), owner, progress, until: leaseEnd(ctx) },
  );
  return changed > 0;
}

/** Gives a chunk back undone. Resolves with how often it has failed by its own fault. */
export async function releaseChunk(
  ctx: Context,
  payload: ChunkPayload,
  owner: string,
  fault: string | null,
): Promise<number> {
  const rows = await ctx.db.rows<{ failures: number }>(
    `UPDATE chunks
        SET state = 'PENDING', lease_owner = NULL, lease_until = NULL, progress = 0, updated_at = $now,
            failures = failures + CASE WHEN $fault::text IS NULL THEN 0 ELSE 1 END, failure_detail = coalesce($fault, failure_detail)
      WHERE ${thisChunk} AND state = 'RUNNING' AND lease_owner = $owner
      RETURNING failures`,
    { ...bindsOf(payload), owner, fault, now: ctx.clock.now() },
  );
  return rows[0]?.failures ?? 0;
}

/** The initialisation segments of the first chunk that was done; those of all others must have the same keys. */
export async function knownInits(
  ctx: Context,
  contentId: string,
  generation: number,
  tx?: Transaction,
): Promise<ReadonlyMap<string, string>> {
  const rows = await ctx.db.rows<{ rendition: string; initKey: string }>(
    'SELECT rung AS rendition, init_key FROM renditions WHERE content_id = $contentId AND generation = $generation AND init_key IS NOT NULL',
    { contentId, generation },
    tx,
  );
  return new Map(rows.map(({ rendition, initKey }) => [rendition, initKey]));
}

/** Makes what this worker has stored the chunk's result. False where its lease was lost: then it counts for nothing. */
export async function completeChunk(
  ctx: Context,
  tx: Transaction,
  payload: ChunkPayload,
  owner: string,
  done: { readonly folder: string; readonly result: ChunkResult },
): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE chunks
        SET state = 'DONE', progress = 1, folder = $folder, result = $result::jsonb, lease_owner = NULL, lease_until = NULL,
            failure_detail = NULL, updated_at = $now
      WHERE ${thisChunk} AND state = 'RUNNING' AND lease_owner = $owner AND ${wanted}`,
    { ...bindsOf(payload), owner, folder: done.folder, result: JSON.stringify(done.result), now: ctx.clock.now() },
    tx,
  );
  if (changed === 0) return false;
  const { contentId, generation } = payload;
  for (const [rendition, { initKey, codecs }] of Object.entries(done.result.renditions)) {
    await ctx.db.change(
      `UPDATE renditions SET init_key = coalesce(init_key, $initKey), codecs = coalesce(codecs, $codecs)
        WHERE content_id = $contentId AND generation = $generation AND rung = $rendition`,
      { contentId, generation, rendition, initKey, codecs },
      tx,
    );
  }
  return true;
}

export async function chunksOf(
  ctx: Context,
  contentId: string,
  generation: number,
  tx?: Transaction,
): Promise<ChunkRow[]> {
  return ctx.db.rows<ChunkRow>(
    `SELECT position, state, priority, folder, result FROM chunks
      WHERE content_id = $contentId AND generation = $generation ORDER BY position`,
    { contentId, generation },
    tx,
  );
}

/** Has chunks made again whose stored files have gone. */
export async function reopenChunks(
  ctx: Context,
  contentId: string,
  generation: number,
  positions: readonly number[],
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const reopened = await ctx.db.rows<{ position: number; priority: number }>(
      `UPDATE chunks SET state = 'PENDING', progress = 0, folder = NULL, result = NULL, failures = failures + 1, updated_at = $now
        WHERE content_id = $contentId AND generation = $generation AND position = ANY($positions::int[]) AND state = 'DONE' AND ${wanted}
        RETURNING position, priority`,
      { contentId, generation, positions, now: ctx.clock.now() },
      tx,
    );
    // The initialisation segments may be what has gone: the next chunk stores them anew.
    await ctx.db.change(
      'UPDATE renditions SET init_key = NULL WHERE content_id = $contentId AND generation = $generation',
      { contentId, generation },
      tx,
    );
    await requeue(
      ctx,
      tx,
      reopened.map(({ position, priority }) => ({ contentId, generation, chunk: position, priority })),
    );
  });
}

/** Asks for chunks again, each at its own place in the queue. */
export async function requeue(
  ctx: Context,
  tx: Transaction,
  chunks: readonly (ChunkPayload & { readonly priority: number })[],
): Promise<void> {
  await ctx.outbox.addMany(
    tx,
    transcodeChunk,
    chunks.map(({ priority, ...payload }) => ({ payload, options: { priority } })),
  );
}
