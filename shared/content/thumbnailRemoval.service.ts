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

/** Removes a thumbnail unless a row refers to it; then `sweepThumbnails` removes it later. */
export async function removeUnreferencedThumbnail(
  ctx: Context,
  tx: Transaction,
  thumbnailId: string,
  registry: ThumbnailRegistry,
): Promise<void> {
  const rows = await ctx.db.rows<RemovedRow>(
    `DELETE FROM thumbnails WHERE id = $thumbnailId AND ${isUnreferenced(registry)} RETURNING id, owner_id, bytes`,
    { thumbnailId },
    tx,
  );
  await removeFiles(ctx, tx, rows, registry.quota);
}

/** Removes thumbnails that are a day old and that no row refers to. Resolves with their number. */
export async function sweepThumbnails(
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
  return ctx.db.transaction(async (tx) => {
    const orphans = await ctx.db.rows<RemovedRow>(
      `DELETE FROM thumbnails WHERE id IN (
         SELECT id FROM thumbnails WHERE created_at < $before AND ${isUnreferenced(registry)}
          ORDER BY owner_id LIMIT $batchSize FOR UPDATE SKIP LOCKED
       ) RETURNING id, owner_id, bytes`,
      { before, batchSize },
      tx,
    );
    await removeFiles(ctx, tx, orphans, registry.quota);
    return orphans.length;
  });
}

/** Condition on a row of `thumbnails`. */
function isUnreferenced({ referringTables }: ThumbnailRegistry): string {
  return referringTables
    .map((table) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.thumbnail_id = thumbnails.id)`)
    .join(' AND ');
}

/** The files go before the transaction commits: after a crash in between, the rows are still there and are found again. */
async function removeFiles(
  ctx: Context,
  tx: Transaction,
  rows: readonly RemovedRow[],
  quota: ThumbnailQuota,
): Promise<void> {
  for (const { id, ownerId, bytes } of rows) {
    await quota.record(ctx, tx, ownerId, -bytes);
    await ctx.storage.removeAll(thumbnailFolder(id));
  }
}
