import { randomUUID } from 'node:crypto';
import { createContent } from '../content/content.lifecycle.js';
import { requeueArrival } from '../content/ingestion.lifecycle.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { ArrivingUpload } from './arrivingUpload.model.js';
import { sourceKey } from './sourceKey.js';

/** A smaller file is there before a worker has begun. */
export const minFollowedBytes = 8 * 1024 ** 2;

/**
 * The first piece of a request is stored: a worker makes the quick generation while the rest arrives. Its content is no box item yet
 * and counts nowhere. Does nothing for a small file, for one of unknown length, and where the client names the id of the content: such an id is given once, and
 * an upload may be broken off.
 */
export async function followUpload(ctx: Context, upload: ArrivingUpload): Promise<void> {
  const { id, fields, totalBytes } = upload;
  if (totalBytes === null || totalBytes < minFollowedBytes) return;
  if (!ctx.config.media.quickGeneration || fields?.contentIdentifier !== undefined) return;
  await ctx.db.transaction(async (tx) => {
    const newId = randomUUID();
    const [row] = await ctx.db.rows<{ contentId: string }>(
      `UPDATE arriving_uploads SET content_id = coalesce(content_id, $newId) WHERE id = $id AND finished_at IS NULL RETURNING content_id`,
      { id, newId },
      tx,
    );
    if (row?.contentId === newId) await beginContent(ctx, tx, { ...upload, totalBytes }, newId);
    else if (row) await requeueArrival(ctx, tx, row.contentId);
  });
}

async function beginContent(
  ctx: Context,
  tx: Transaction,
  { id, userId, fileName, totalBytes }: ArrivingUpload & { readonly totalBytes: number },
  contentId: string,
): Promise<void> {
  const source = { sourceKey: sourceKey(id), sourceName: fileName, sourceBytes: totalBytes };
  await createContent(ctx, tx, { id: contentId, ownerId: userId, ...source, arrival: 'FOLLOWED' });
}
