import type { Context } from '../platform/context.js';
import { lease } from '../platform/lease/index.js';
import { prepareCast } from './cast.jobs.js';
import { preparedFolder } from './preparation.lifecycle.js';

/*
 * Repairs and removes cuts and slates on a schedule.
 */

/**
 * Files are kept this long after their program: longer than their playlists and segment addresses are valid.
 * Airings that play them were decided earlier.
 */
const retentionSeconds = 3_600;
const batchSize = 200;

/** Enqueues jobs for waiting cuts and slates without a valid lease. Resolves with their number. */
export async function requeuePreparations(ctx: Context): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const waiting = `state = 'WAITING' AND needed_until > $now AND ${lease.free}`;
    const rows = await ctx.db.rows<{ id: string }>(
      `SELECT id FROM (
         (SELECT id, shows_from AS since FROM cast_slates WHERE ${waiting} ORDER BY shows_from LIMIT $batchSize)
         UNION ALL (SELECT id, needed_until FROM cast_cuts WHERE ${waiting} ORDER BY needed_until LIMIT $batchSize)) AS row
        ORDER BY since LIMIT $batchSize`,
      { now: ctx.clock.now(), batchSize },
      tx,
    );
    await ctx.outbox.addMany(
      tx,
      prepareCast,
      rows.map((payload) => ({ payload })),
    );
    return rows.length;
  });
}

/**
 * Removes unneeded cuts and slates, and failed ones an hour after their request: if they are requested again, they are
 * retried, because the storage or the tools may have caused the failure. Rows are deleted before their files, so that no new
 * airing plays them. `unknownCastFiles` finds files that remain after a crash. Resolves with the number of removed rows.
 */
export async function removeUnneeded(ctx: Context, signal: AbortSignal): Promise<number> {
  let removed = 0;
  for (const table of ['cast_cuts', 'cast_slates']) {
    let rows: { folder: string }[];
    do {
      rows = await ctx.db.rows<{ folder: string }>(
        `WITH unneeded AS (
           SELECT id FROM ${table} WHERE needed_until < $before AND ${lease.free} LIMIT $batchSize FOR UPDATE SKIP LOCKED
         ), failed AS (
           SELECT id FROM ${table} WHERE state = 'FAILED' AND created_at < $before AND ${lease.free}
            LIMIT $batchSize FOR UPDATE SKIP LOCKED
         )
         DELETE FROM ${table} WHERE id IN (SELECT id FROM unneeded UNION SELECT id FROM failed LIMIT $batchSize)
         RETURNING folder`,
        { before: new Date(ctx.clock.now().getTime() - retentionSeconds * 1000), batchSize },
      );
      for (const row of rows) await ctx.storage.removeAll(preparedFolder(row));
      removed += rows.length;
    } while (rows.length === batchSize && !signal.aborted);
  }
  return removed;
}

/** Channels that changed in the last ten minutes, or have no slate of their own: the next ones after the id `after`. */
export async function channelsWithoutSlate(ctx: Context, after?: string): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(
    `SELECT id FROM cast_channels channel
      WHERE (updated_at > $since
             OR NOT EXISTS (SELECT 1 FROM cast_slates slate WHERE slate.channel_id = channel.id AND slate.shows_until IS NULL))
        AND id > coalesce($after::text::uuid, '00000000-0000-0000-0000-000000000000')
      ORDER BY id LIMIT $batchSize`,
    { since: new Date(ctx.clock.now().getTime() - 10 * 60_000), batchSize, after: after ?? null },
  );
  return rows.map(({ id }) => id);
}

/** Filters storage keys below `cast/`: returns those whose folder belongs to no cut or slate. */
export async function unknownCastFiles(ctx: Context, keys: readonly string[]): Promise<string[]> {
  const folderOf = (key: string): string => key.split('/')[1] ?? '';
  const rows = await ctx.db.rows<{ folder: string }>(
    `SELECT folder FROM cast_cuts WHERE folder = ANY($folders::text[])
     UNION ALL SELECT folder FROM cast_slates WHERE folder = ANY($folders::text[])`,
    { folders: [...new Set(keys.map(folderOf))] },
  );
  const known = new Set(rows.map(({ folder }) => folder));
  return keys.filter((key) => !known.has(folderOf(key)));
}
