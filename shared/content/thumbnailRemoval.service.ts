import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { thumbnailFolder, type ThumbnailQuota } from './thumbnail.service.js';

/** An uploaded thumbnail that no row refers to is removed after this time. */
const orphanMilliseconds = 24 * 60 * 60_000;
const batchSize = 20;

/** What removing thumbnails needs from higher domains; composed in `shared/thumbnails.ts`. */
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
 * Removes the row of a thumbnail unless another row refers to it; then `sweepThumbnails` removes it later. Resolves with the function
 * that removes its files, to be called after the commit.
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

/** Removes thumbnails that are a day old and that no row refers to. Resolves with their number. */
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

/** Condition on a row of `thumbnails`. */
function isUnreferenced({ referringTables }: ThumbnailRegistry): string {
  return referringTables
    .map((table) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.thumbnail_id = thumbnails.id)`)
    .join(' AND ');
}

/** Quotas are locked in the order of users, so that two removals do not wait for each other. */
async function releaseBytes(
  ctx: Context,
  tx: Transaction,
  rows: readonly RemovedRow[],
  quota: ThumbnailQuota,
): Promise<void> {
  const byOwner = rows.toSorted((one, other) => one.ownerId.localeCompare(other.ownerId));
  for (const { ownerId, bytes } of byOwner) await quota.record(ctx, tx, ownerId, -bytes);
}

/** After the rows. `content.sweepFiles` finds files that a crash, or a store that is away, has left. */
async function removeFiles(ctx: Context, rows: readonly RemovedRow[]): Promise<void> {
  for (const { id } of rows) await ctx.storage.removeAll(thumbnailFolder(id));
}
