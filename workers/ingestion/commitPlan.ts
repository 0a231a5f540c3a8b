import { transcodeChunk } from '../../shared/content/content.jobs.js';
import type { Content } from '../../shared/content/content.model.js';
import { processing } from '../../shared/content/making.js';
import type { ContentPlan } from '../../shared/content/plan.js';
import { firstPriority, priorityAt } from '../../shared/content/queueing.js';
import { saveFrameThumbnail } from '../../shared/content/thumbnail.service.js';
import { recordStoredBytes } from '../../shared/license/usage.service.js';
import type { Context } from '../../shared/platform/context.js';
import type { Transaction } from '../../shared/platform/database/database.js';
import type { Prepared } from './prepare.js';

/** Plan, rows and jobs: all of them or none (principle 3 of docs/architecture.md). False where the lease has been lost meanwhile. */
export async function commitPlan(ctx: Context, content: Content, owner: string, prepared: Prepared): Promise<boolean> {
  const { plan, thumbnail } = prepared;
  const generation = content.generation ?? 1;
  return ctx.db.transaction(async (tx) => {
    if (!(await writePlan(ctx, tx, content, owner, prepared))) return false;
    await saveFrameThumbnail(ctx, tx, content.ownerId, thumbnail);
    const addedBytes = thumbnail.sizeBytes - (content.thumbnailBytes ?? 0);
    await recordStoredBytes(ctx, tx, content.ownerId, 'thumbnails', addedBytes);
    await writeRenditions(ctx, tx, content.id, generation, plan);
    const first = await firstPriority(ctx, tx, content.ownerId);
    await ctx.db.change(
      `INSERT INTO chunks (content_id, generation, position, state, priority, updated_at)
       SELECT $contentId, $generation, position, 'PENDING', least(2000000, $first::integer + position), $now
         FROM generate_series(0, $chunkCount::integer - 1) AS position`,
      { contentId: content.id, generation, first, chunkCount: plan.chunkCount, now: ctx.clock.now() },
      tx,
    );
    const chunks = Array.from({ length: plan.chunkCount }, (_, chunk) => ({
      payload: { contentId: content.id, generation, chunk },
      options: { priority: priorityAt(first, chunk) },
    }));
    await ctx.outbox.addMany(tx, transcodeChunk, chunks);
    await ctx.search.markDirty(tx, 'content', content.id);
    return true;
  });
}

async function writePlan(
  ctx: Context,
  tx: Transaction,
  content: Content,
  owner: string,
  prepared: Prepared,
): Promise<boolean> {
  const { plan, thumbnail } = prepared;
  const changed = await ctx.db.change(
    `UPDATE contents
        SET plan = $plan::jsonb, duration_ms = $durationMs, width = $width, height = $height, has_video = $hasVideo,
            has_audio = $hasAudio, thumbnail_id = $thumbnailId, thumbnail_bytes = $thumbnailBytes,
            lease_owner = NULL, lease_until = NULL, failure_detail = NULL, updated_at = $now
      WHERE id = $contentId AND generation = $generation AND lease_owner = $owner AND plan IS NULL AND ${processing}`,
    {
      contentId: content.id,
      generation: content.generation,
      owner,
      plan: JSON.stringify(plan),
      durationMs: plan.durationMs,
      width: prepared.width,
      height: prepared.height,
      hasVideo: prepared.hasVideo,
      hasAudio: prepared.hasAudio,
      thumbnailId: thumbnail.id,
      thumbnailBytes: thumbnail.sizeBytes,
      now: ctx.clock.now(),
    },
    tx,
  );
  return changed > 0;
}

async function writeRenditions(
  ctx: Context,
  tx: Transaction,
  contentId: string,
  generation: number,
  plan: ContentPlan,
): Promise<void> {
  for (const [position, rendition] of plan.renditions.entries()) {
    await ctx.db.change(
      `INSERT INTO renditions (content_id, generation, rung, position, width, height, video_bits, audio_bits)
       VALUES ($contentId, $generation, $name, $position, $width, $height, $videoBits, $audioBits)`,
      { contentId, generation, ...rendition, position },
      tx,
    );
  }
}
