import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { thumbnailFolder, type ThumbnailQuota } from './thumbnail.service.js';

/** An uploaded thumbnail that no row refers to is removed after this time. */
const orphanMilliseconds = 24 * 60 * 60_000;
const batchSize = 20;

/** Dependencies of thumbnail removal on higher domains; composed in `shared/thumbnails.ts`. */
export interface ThumbnailRegistry {
  /** Every table with a column `thumbnail_id`. */
  readonly referringTables: readonly string[];
  readonly quota: ThumbnailQuota;
}

interface RemovedRow {
  readonly id: string;
  readonly ownerId: string;
  readonly bytes: number;
}

/**
 * Removes the row of a thumbnail unless another row refers to it; in that case `sweepThumbnails` removes it later. Resolves with
 * the function that removes its files, to be called after the commit.
 */
export async function removeUnreferencedThumbnail(
  ctx: Context,
  tx: Transaction,
  thumbnailId: string,
  registry: ThumbnailRegistry,
): Promise<() => Promise<void>> {
  const rows = await ctx.db.rows<RemovedRow>(
    `DELETE FROM thumbnails WHERE id = $thumbnailId AND ${isUnreferenced(registry)} RETURNING id, owner_id, bytes`,
    { thumbnailId },
    tx,
  );
  await releaseBytes(ctx, tx, rows, registry.quota);
  return () => removeFiles(ctx, rows);
}

/** Removes unreferenced thumbnails that are at least a day old. Resolves with their number. */
export async function removeUnusedThumbnails(
  ctx: Context,
  registry: ThumbnailRegistry,
  signal?: AbortSignal,
): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - orphanMilliseconds);
  let removed = 0;
  for (let batch = -1; batch !== 0 && !signal?.aborted; removed += batch)
    batch = await removeOrphans(ctx, registry, before);
  return removed;
}

async function removeOrphans(ctx: Context, registry: ThumbnailRegistry, before: Date): Promise<number> {
  const removed = await ctx.db.transaction(async (tx) => {
    const orphans = await ctx.db.rows<RemovedRow>(
      `DELETE FROM thumbnails WHERE id IN (
         SELECT id FROM thumbnails WHERE created_at < $before AND ${isUnreferenced(registry)}
          ORDER BY owner_id LIMIT $batchSize FOR UPDATE SKIP LOCKED
       ) RETURNING id, owner_id, bytes`,
      { before, batchSize },
      tx,
    );
    await releaseBytes(ctx, tx, orphans, registry.quota);
    return orphans;
  });
  await removeFiles(ctx, removed);
  return removed.length;
}

/** SQL condition on a row of `thumbnails`. */
function isUnreferenced({ referringTables }: ThumbnailRegistry): string {
  return referringTables
    .map((table) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.thumbnail_id = thumbnails.id)`)
    .join(' AND ');
}

/** Locks quotas in the order of user ids, so that two removals cannot deadlock. */
async function releaseBytes(
  ctx: Context,
  tx: Transaction,
  rows: readonly RemovedRow[],
  quota: ThumbnailQuota,
): Promise<void> {
  const byOwner = rows.toSorted((one, other) => one.ownerId.localeCompare(other.ownerId));
  for (const { ownerId, bytes } of byOwner) await quota.record(ctx, tx, ownerId, -bytes);
}

/** Called after the rows are deleted. `content.sweepFiles` finds files that remain after a crash or a storage outage. */
async function removeFiles(ctx: Context, rows: readonly RemovedRow[]): Promise<void> {
  for (const { id } of rows) await ctx.storage.removeAll(thumbnailFolder(id));
}
