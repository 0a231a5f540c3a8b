import { isUuid } from '../../shared/platform/formats/format.js';
import { neededFiles } from '../../shared/content/needed.js';
import { isStale } from '../../shared/content/stale.js';
import { existingThumbnails } from '../../shared/content/thumbnail.service.js';
import type { Context } from '../../shared/platform/context.js';
import type { Handler } from '../runtime/jobTypes.js';

/** Younger files may belong to rows that are not committed yet. */
const orphanMs = 24 * 3600_000;
const batchSize = 500;

interface StoredFile {
  readonly key: string;
  readonly modifiedAt: Date;
}

/** `content.sweepFiles`: removes stored files that are a day old and that no row needs. */
export const sweepContentFiles: Handler<object> = async ({ ctx, log, signal }) => {
  const before = new Date(ctx.clock.now().getTime() - orphanMs);
  const found = {
    sources: await sweepPrefix(ctx, signal, before, 'sources', unknownSources),
    thumbnails: await sweepPrefix(ctx, signal, before, 'thumbnails', unknownThumbnails),
    contents: await sweepPrefix(ctx, signal, before, 'content', staleFiles),
  };
  if (Object.values(found).some((count) => count > 0)) log.warn(found, 'stored files that no row knows were removed');
  return found;
};

/** Walks a prefix in batches; `orphans` says which keys of a batch nobody needs. Resolves with how many were removed. */
async function sweepPrefix(
  ctx: Context,
  signal: AbortSignal,
  before: Date,
  prefix: string,
  orphans: (ctx: Context, keys: readonly string[]) => Promise<readonly string[]>,
): Promise<number> {
  let removed = 0;
  const sweepBatch = async (keys: readonly string[]): Promise<void> => {
    const unneeded = await orphans(ctx, keys);
    await ctx.storage.remove(unneeded);
    removed += unneeded.length;
  };
  let batch: string[] = [];
  for await (const file of ctx.storage.list(prefix) as AsyncIterable<StoredFile>) {
    signal.throwIfAborted();
    if (file.modifiedAt < before) batch.push(file.key);
    if (batch.length === batchSize) {
      await sweepBatch(batch);
      batch = [];
    }
  }
  await sweepBatch(batch);
  return removed;
}

/** The second part of a key: whose file it is. */
function ownerOf(key: string): string {
  return key.split('/')[1] ?? '';
}

async function unknownSources(ctx: Context, keys: readonly string[]): Promise<string[]> {
  const rows = await ctx.db.rows<{ key: string }>(
    'SELECT source_key AS key FROM contents WHERE source_key = ANY($keys::text[])',
    { keys },
  );
  const known = new Set(rows.map(({ key }) => key));
  return keys.filter((key) => !known.has(key));
}

async function unknownThumbnails(ctx: Context, keys: readonly string[]): Promise<string[]> {
  const ids = [...new Set(keys.map(ownerOf))].filter(isUuid);
  const known = await existingThumbnails(ctx, ids);
  return keys.filter((key) => !known.has(ownerOf(key)));
}

async function staleFiles(ctx: Context, keys: readonly string[]): Promise<string[]> {
  const stale: string[] = [];
  for (const contentId of new Set(keys.map(ownerOf))) {
    const own = keys.filter((key) => ownerOf(key) === contentId);
    const needed = isUuid(contentId) ? await neededFiles(ctx, contentId) : null;
    stale.push(...own.filter((key) => needed === null || isStale(needed, key)));
  }
  return stale;
}
