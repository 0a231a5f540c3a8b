import { unfinishedUploads } from '../../shared/box/arrivingUpload.lifecycle.js';
import { isUuid } from '../../shared/platform/formats/format.js';
import { knownSources, retainedFilesOf } from '../../shared/content/content.queries.js';
import { isObsolete } from '../../shared/content/retainedFiles.js';
import { contentIdOfKey } from '../../shared/content/storageKeys.js';
import { existingThumbnails } from '../../shared/content/thumbnail.service.js';
import type { Context } from '../../shared/platform/context.js';
import { unknownCastFiles } from '../../shared/cast/preparation.sweep.js';
import { unknownLiveFiles } from '../../shared/streaming/sweep.service.js';
import { retainedGenerations } from '../../shared/retainedGenerations.js';
import type { Handler } from '../runtime/jobTypes.js';

/** The rows of younger files may not be committed yet. */
const orphanMs = 24 * 3600_000;
const batchSize = 500;

interface StoredFile {
  readonly key: string;
  readonly modifiedAt: Date;
}

/** `content.sweepFiles`: removes stored files that are a day old and that no row refers to. */
export const sweepFilesHandler: Handler<object> = async ({ ctx, log, signal }) => {
  const before = new Date(ctx.clock.now().getTime() - orphanMs);
  const found = {
    sources: await sweepPrefix(ctx, signal, before, 'sources', unknownSources),
    thumbnails: await sweepPrefix(ctx, signal, before, 'thumbnails', unknownThumbnails),
    contents: await sweepPrefix(ctx, signal, before, 'content', obsoleteFiles),
    live: await sweepPrefix(ctx, signal, before, 'live', unknownLiveFiles),
    cast: await sweepPrefix(ctx, signal, before, 'cast', unknownCastFiles),
  };
  if (Object.values(found).some((count) => count > 0)) log.warn(found, 'orphaned stored files removed');
  return found;
};

/** Removes the files below a prefix that `orphans` returns, in batches. Resolves with their number. */
async function sweepPrefix(
  ctx: Context,
  signal: AbortSignal,
  before: Date,
  prefix: string,
  orphans: (ctx: Context, keys: readonly string[]) => Promise<readonly string[]>,
): Promise<number> {
  let removed = 0;
  const sweepBatch = async (keys: readonly string[]): Promise<void> => {
    const orphaned = await orphans(ctx, keys);
    await ctx.storage.remove(orphaned);
    removed += orphaned.length;
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

/** The second part of a key: the id of the upload or thumbnail. */
function ownerOf(key: string): string {
  return key.split('/')[1] ?? '';
}

async function unknownSources(ctx: Context, keys: readonly string[]): Promise<string[]> {
  const known = await knownSources(ctx, keys);
  const rest = keys.filter((key) => !known.has(key));
  const arriving = await unfinishedUploads(ctx, [...new Set(rest.map(ownerOf))].filter(isUuid));
  return rest.filter((key) => !arriving.has(ownerOf(key)));
}

async function unknownThumbnails(ctx: Context, keys: readonly string[]): Promise<string[]> {
  const ids = [...new Set(keys.map(ownerOf))].filter(isUuid);
  const known = await existingThumbnails(ctx, ids);
  return keys.filter((key) => !known.has(ownerOf(key)));
}

async function obsoleteFiles(ctx: Context, keys: readonly string[]): Promise<string[]> {
  const obsolete: string[] = [];
  for (const contentId of new Set(keys.map(contentIdOfKey))) {
    const own = keys.filter((key) => contentIdOfKey(key) === contentId);
    const retained = isUuid(contentId) ? await retainedFilesOf(ctx, contentId, retainedGenerations) : null;
    obsolete.push(...own.filter((key) => retained === null || isObsolete(retained, key)));
  }
  return obsolete;
}
