import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ingestContent, removeContent } from './content.jobs.js';
import { Content } from './content.model.js';

export interface NewContent {
  readonly id: string;
  readonly ownerId: string;
  /** Storage key of the uploaded file; its folder belongs to this content alone. */
  readonly sourceKey: string;
  /** The name the file was uploaded under. */
  readonly sourceName: string;
  readonly sourceBytes: number;
}

/** A content in the making and its ingestion job: both or neither (principle 3 of docs/architecture.md). The file is stored already. */
export async function createContent(ctx: Context, tx: Transaction, input: NewContent): Promise<Content> {
  const now = ctx.clock.now();
  const content = await ctx.db
    .model(Content)
    .create({ ...input, state: 'PENDING', createdAt: now, updatedAt: now }, { transaction: tx });
  await ctx.outbox.add(tx, ingestContent, { contentId: content.id });
  await ctx.search.markDirty(tx, 'content', content.id);
  return content;
}

/** Tombstones a content; its files and rows go by job. Work on it stops at its next look at the row. */
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
 * Makes a new generation of a content that is READY or FAILED; one that is READY keeps playing the old one meanwhile.
 * Resolves with false where it is in the making already, or gone.
 */
export async function transcodeAgain(ctx: Context, tx: Transaction, contentId: string): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE contents
        SET generation = generation + 1, attempt = 0, plan = NULL, failure_key = NULL, failure_detail = NULL,
            state = CASE WHEN state = 'FAILED' THEN 'PENDING' ELSE state END, updated_at = $now
      WHERE id = $contentId AND state IN ('READY', 'FAILED')
        AND generation <= greatest(coalesce(ready_generation, 0), coalesce(failed_generation, 0))`,
    { contentId, now: ctx.clock.now() },
    tx,
  );
  if (changed === 0) return false;
  await ctx.outbox.add(tx, ingestContent, { contentId });
  await ctx.search.markDirty(tx, 'content', contentId);
  return true;
}
