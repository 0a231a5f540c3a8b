import { seedBoxItem, type SeededItem } from '../rows.js';
import { ChunkRecord } from '../../../shared/content/chunk.model.js';
import { Rendition } from '../../../shared/content/rendition.model.js';
import { contentSegmentSeconds } from '../../../shared/media/segmentSeconds.js';
import type { Context } from '../../../shared/platform/context.js';

const daySeconds = 24 * 3_600;
const segmentsPerChunk = 6;

/** A READY content of 24 h with rows of its segments, so that playlists can list it, but without files. */
export async function seedDayContent(ctx: Context, ownerId: string): Promise<SeededItem> {
  const item = await seedBoxItem(ctx, ownerId, { durationMs: daySeconds * 1000 });
  const { contentId } = item;
  const initKey = 'init/240p-0011.mp4';
  await ctx.db.model(Rendition).create({
    ...{ contentId, generation: 1, name: '240p', position: 0, initKey },
    ...{ width: 426, height: 240, videoBits: 1, audioBits: 1, codecs: 'avc1' },
  });
  const bytes = Array.from({ length: segmentsPerChunk }, () => 1);
  const result = { renditions: { '240p': { bytes, initKey, initBytes: 1, codecs: 'avc1' } } };
  const row = { contentId, generation: 1, state: 'DONE', priority: 0, updatedAt: ctx.clock.now() } as const;
  await ctx.db.model(ChunkRecord).create({ ...row, position: 0, folder: 'c0-a1', result });
  await ctx.db.change(
    `INSERT INTO chunks (content_id, generation, position, state, priority, folder, result, updated_at)
     SELECT content_id, generation, number, state, priority, 'c' || number || '-a1', result, updated_at
       FROM chunks, generate_series(1, $last::int) AS number WHERE content_id = $contentId AND position = 0`,
    { contentId, last: Math.ceil(daySeconds / contentSegmentSeconds / segmentsPerChunk) - 1 },
  );
  return item;
}
