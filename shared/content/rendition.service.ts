import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { ChunkResult } from './chunkResult.js';
import type { GenerationPayload } from './content.jobs.js';
import type { PlannedRendition } from './plan.js';
import { Rendition } from './rendition.model.js';

/** The columns of a new rendition. */
export type NewRendition = Pick<PlannedRendition, 'name' | 'width' | 'height' | 'videoBits' | 'audioBits'>;

/** Creates the rendition rows of a new generation; `renditions`: lowest first. */
export async function createRenditions(
  ctx: Context,
  tx: Transaction,
  { contentId, generation }: GenerationPayload,
  renditions: readonly NewRendition[],
): Promise<void> {
  const rows = renditions.map(({ name, width, height, videoBits, audioBits }, position) => ({
    contentId,
    generation,
    name,
    position,
    width,
    height,
    videoBits,
    audioBits,
  }));
  await ctx.db.model(Rendition).bulkCreate(rows, { transaction: tx });
}

/** The encoding parameters of a stored rendition. */
export type StoredRenditionSize = Pick<PlannedRendition, 'name' | 'width' | 'height' | 'videoBits'>;

/** The renditions of a generation, lowest first. Empty: there is no such generation. */
export async function renditionSizes(
  ctx: Context,
  { contentId, generation }: GenerationPayload,
): Promise<StoredRenditionSize[]> {
  const where = { contentId, generation };
  return ctx.db.model(Rendition).findAll({ where, order: [['position', 'ASC']] });
}

/** Initialisation segments of the first completed chunk, by rendition. Those of all other chunks must be equal. */
export async function knownInits(
  ctx: Context,
  { contentId, generation }: GenerationPayload,
  tx?: Transaction,
): Promise<ReadonlyMap<string, string>> {
  const rows = await ctx.db.rows<{ rendition: string; initKey: string }>(
    `SELECT name AS rendition, init_key FROM renditions
      WHERE content_id = $contentId AND generation = $generation AND init_key IS NOT NULL`,
    { contentId, generation },
    tx,
  );
  return new Map(rows.map(({ rendition, initKey }) => [rendition, initKey]));
}

/** Writes the initialisation segments and codecs of a chunk, unless another chunk has written them before. */
export async function recordInits(
  ctx: Context,
  tx: Transaction,
  { contentId, generation }: GenerationPayload,
  { renditions }: ChunkResult,
): Promise<void> {
  for (const [rendition, { initKey, codecs }] of Object.entries(renditions)) {
    await ctx.db.change(
      `UPDATE renditions SET init_key = coalesce(init_key, $initKey), codecs = coalesce(codecs, $codecs)
        WHERE content_id = $contentId AND generation = $generation AND name = $rendition`,
      { contentId, generation, rendition, initKey, codecs },
      tx,
    );
  }
}

/** Clears the initialisation segments, so that the next completed chunk writes them again. */
export async function clearInits(
  ctx: Context,
  tx: Transaction,
  { contentId, generation }: GenerationPayload,
): Promise<void> {
  await ctx.db.model(Rendition).update({ initKey: null }, { where: { contentId, generation }, transaction: tx });
}

/** Writes the total segment bytes of each rendition, from the results of its chunks. */
export async function recordRenditionBytes(
  ctx: Context,
  tx: Transaction,
  { contentId, generation }: GenerationPayload,
): Promise<void> {
  await ctx.db.change(
    `UPDATE renditions r
        SET bytes = (SELECT coalesce(sum(size::bigint), 0)
                       FROM chunks k, jsonb_array_elements_text(k.result -> 'renditions' -> r.name -> 'bytes') AS size
                      WHERE k.content_id = r.content_id AND k.generation = r.generation)
      WHERE r.content_id = $contentId AND r.generation = $generation`,
    { contentId, generation },
    tx,
  );
}
