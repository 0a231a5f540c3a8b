import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { cleanContent, type GenerationPayload } from './content.jobs.js';
import { processing } from './processing.js';
import { maxViewerSession } from './viewerSessionSeconds.js';

/*
 * Viewers who started with a generation continue to play it after its replacement. Its files are kept until the last grant for them
 * has expired.
 */

const batchSize = 500;

/** Keeps the files of the current ready generation until their grants have expired. */
export async function retainReadyGeneration(
  ctx: Context,
  tx: Transaction,
  { contentId, generation }: GenerationPayload,
): Promise<void> {
  await ctx.db.change(
    `INSERT INTO replaced_generations (content_id, generation, kept_until)
     SELECT id, ready_generation, $now::timestamptz + ${maxViewerSession} FROM contents
      WHERE id = $contentId AND generation = $generation AND ready_generation IS NOT NULL AND ${processing()}
     ON CONFLICT DO NOTHING`,
    { contentId, generation, now: ctx.clock.now() },
    tx,
  );
}

/** The replaced generations of a content for which grants may be valid. */
export async function replacedGenerations(ctx: Context, contentId: string): Promise<number[]> {
  const rows = await ctx.db.rows<{ generation: number }>(
    'SELECT generation FROM replaced_generations WHERE content_id = $contentId AND kept_until > $now',
    { contentId, now: ctx.clock.now() },
  );
  return rows.map(({ generation }) => generation);
}

/** Enqueues the removal of replaced generations' files after their last grant has expired. Resolves with their number. */
export async function releaseReplacedGenerations(ctx: Context): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const released = await ctx.db.rows<{ contentId: string }>(
      `DELETE FROM replaced_generations WHERE (content_id, generation) IN (
         SELECT content_id, generation FROM replaced_generations WHERE kept_until <= $now
          LIMIT $batchSize FOR UPDATE SKIP LOCKED)
        RETURNING content_id`,
      { now: ctx.clock.now(), batchSize },
      tx,
    );
    const contentIds = new Set(released.map(({ contentId }) => contentId));
    await ctx.outbox.addMany(
      tx,
      cleanContent,
      [...contentIds].map((contentId) => ({ payload: { contentId } })),
    );
    return released.length;
  });
}
