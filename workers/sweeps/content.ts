import { ingestContent, removeContent, settleContent } from '../../shared/content/content.jobs.js';
import { requeue } from '../../shared/content/chunks.js';
import { processing } from '../../shared/content/making.js';
import type { Context } from '../../shared/platform/context.js';
import { sweepTemporaryFolders } from '../media/temporaryFolders.js';
import type { Handler } from '../runtime/jobTypes.js';

/** So long may a job take from its row to its worker before it is asked for again; asking twice is harmless. */
const waitMs = 120_000;
/** Chunks may wait for long behind others: they are asked for more rarely. */
const chunkWaitMs = 15 * 60_000;
const batchSize = 500;

interface Sweep {
  readonly ctx: Context;
  readonly now: Date;
  /** What nobody has touched since then has been forgotten. */
  readonly before: Date;
}

/** `content.sweep`: asks again for what a crash has left undone, and for what was lost on its way into a queue. */
export const sweepContent: Handler<object> = async ({ ctx, log }) => {
  const now = ctx.clock.now();
  const sweep: Sweep = { ctx, now, before: new Date(now.getTime() - waitMs) };
  const found = {
    ingestions: await askForIngestions(sweep),
    chunks: await requeueStaleChunks(sweep),
    settlements: await askForSettlements(sweep),
    removals: await askForRemovals(sweep),
    folders: await sweepTemporaryFolders(ctx.config, now),
  };
  if (Object.values(found).some((count) => count > 0)) log.info(found, 'work that was left undone is asked for again');
  return found;
};

/** Contents without a plan that nobody works on. */
async function askForIngestions({ ctx, now, before }: Sweep): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const rows = await ctx.db.rows<{ id: string }>(
      `UPDATE contents SET updated_at = $now, lease_owner = NULL, lease_until = NULL
        WHERE id IN (SELECT id FROM contents
                      WHERE plan IS NULL AND ${processing}
                        AND (lease_until < $now OR (lease_until IS NULL AND updated_at < $before))
                      ORDER BY updated_at LIMIT $batchSize FOR UPDATE SKIP LOCKED)
        RETURNING id`,
      { now, before, batchSize },
      tx,
    );
    await ctx.outbox.addMany(
      tx,
      ingestContent,
      rows.map(({ id }) => ({ payload: { contentId: id } })),
    );
    return rows.length;
  });
}

/** Chunks whose worker has died, and chunks that have waited for very long: those may be in no queue any more. */
async function requeueStaleChunks({ ctx, now }: Sweep): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const rows = await ctx.db.rows<{ contentId: string; generation: number; chunk: number; priority: number }>(
      `UPDATE chunks SET state = 'PENDING', lease_owner = NULL, lease_until = NULL, updated_at = $now
        WHERE (content_id, generation, position) IN (
          SELECT k.content_id, k.generation, k.position
            FROM chunks k JOIN contents c ON c.id = k.content_id AND c.generation = k.generation
           WHERE ((k.state = 'RUNNING' AND k.lease_until < $now) OR (k.state = 'PENDING' AND k.updated_at < $before))
             AND c.state <> 'DELETED' AND c.generation > greatest(coalesce(c.ready_generation, 0), coalesce(c.failed_generation, 0))
           ORDER BY k.priority LIMIT $batchSize FOR UPDATE OF k SKIP LOCKED)
        RETURNING content_id, generation, position AS chunk, priority`,
      { now, before: new Date(now.getTime() - chunkWaitMs), batchSize },
      tx,
    );
    await requeue(ctx, tx, rows);
    return rows.length;
  });
}

/** Generations whose chunks are all done, and that are not ready yet. */
async function askForSettlements({ ctx, now, before }: Sweep): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const rows = await ctx.db.rows<{ contentId: string; generation: number }>(
      `UPDATE contents SET updated_at = $now
        WHERE id IN (SELECT c.id FROM contents c
                      WHERE plan IS NOT NULL AND ${processing} AND updated_at < $before
                        AND NOT EXISTS (SELECT 1 FROM chunks k WHERE k.content_id = c.id AND k.generation = c.generation
                                           AND (k.state <> 'DONE' OR k.updated_at >= $before))
                      LIMIT $batchSize FOR UPDATE SKIP LOCKED)
        RETURNING id AS content_id, generation`,
      { now, before, batchSize },
      tx,
    );
    await ctx.outbox.addMany(
      tx,
      settleContent,
      rows.map((payload) => ({ payload })),
    );
    return rows.length;
  });
}

/** Tombstones that are still there. */
async function askForRemovals({ ctx, now, before }: Sweep): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const rows = await ctx.db.rows<{ id: string }>(
      `UPDATE contents SET updated_at = $now
        WHERE id IN (SELECT id FROM contents WHERE state = 'DELETED' AND updated_at < $before LIMIT $batchSize FOR UPDATE SKIP LOCKED)
        RETURNING id`,
      { now, before, batchSize },
      tx,
    );
    await ctx.outbox.addMany(
      tx,
      removeContent,
      rows.map(({ id }) => ({ payload: { contentId: id } })),
    );
    return rows.length;
  });
}
