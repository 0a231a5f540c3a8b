import type { Context } from '../platform/context.js';
import { contextPart } from '../platform/contextParts.js';
import { RefreshedCache } from '../platform/refreshedCache.js';
import type { ChunkResult } from './chunkResult.js';
import {
  chunkOfPath,
  contentIdOfKey,
  copyAttemptOfPath,
  generationOfPath,
  segmentName,
  tailName,
} from './storageKeys.js';

/** File sizes of a chunk in bytes, by path in the generation's folder. */
type ChunkSizes = ReadonlyMap<string, number>;

/** Cached chunks, of half a minute each. */
const maxChunks = 5_000;

/** Cached file sizes of chunks in complete generations. They never change. */
const segmentSizes = contextPart(
  () => new RefreshedCache<ChunkSizes>({ lifetimeMs: Number.POSITIVE_INFINITY, maxEntries: maxChunks }),
);

/**
 * The size of a segment or initialisation segment, from the cached row of its chunk: one segment never requires the rows of a
 * complete film. Null: the generation is not complete, or has no such file.
 */
export async function segmentBytesOf(ctx: Context, key: string): Promise<number | null> {
  const contentId = contentIdOfKey(key);
  const inContent = key.split('/').slice(2).join('/');
  const generation = generationOfPath(inContent);
  // A preview shares the generation's files, except one.
  const path = inContent.slice(inContent.indexOf('/') + 1).replace(/^preview\//, '');
  const position = chunkOfPath(path);
  if (contentId === '' || generation === null || position === null) return null;
  const chunk = { contentId, generation, position };
  const sizes = await segmentSizes(ctx).get(Object.values(chunk).join('/'), () => readSizes(ctx, chunk));
  return sizes?.get(path) ?? null;
}

interface ChunkKey {
  readonly contentId: string;
  readonly generation: number;
  readonly position: number;
}

/** Null if the generation is incomplete or removed. */
async function readSizes(ctx: Context, chunk: ChunkKey): Promise<ChunkSizes | null> {
  const rows = await ctx.db.rows<{ position: number; folder: string | null; result: ChunkResult | null }>(
    `SELECT chunk.position, chunk.folder, chunk.result
       FROM contents content JOIN chunks chunk ON chunk.content_id = content.id AND chunk.generation = $generation
      WHERE content.id = $contentId AND content.ready_generation >= $generation AND chunk.position IN (0, $position)
      ORDER BY chunk.position`,
    { ...chunk },
  );
  const first = rows[0];
  const own = rows.find(({ position }) => position === chunk.position);
  if (!own?.result) return null;
  // All chunks except the last have the same number of segments. Segments of a copy are numbered within their folder.
  const segmentsPerChunk = Object.values(first?.result?.renditions ?? {})[0]?.bytes.length ?? 0;
  const before = copyAttemptOfPath(`${own.folder}/`) === null ? chunk.position * segmentsPerChunk : 0;
  const sizes = new Map<string, number>();
  for (const [name, { bytes, initKey, initBytes, tail }] of Object.entries(own.result.renditions)) {
    const folder = `${own.folder}/${name}`;
    bytes.forEach((size, index) => size > 0 && sizes.set(`${folder}/${segmentName(before + index)}`, size));
    if (tail) sizes.set(`${folder}/${tailName}`, tail.bytes);
    sizes.set(initKey, initBytes);
  }
  return sizes;
}
