import { unfinishedUploads } from '../../shared/upload/upload.lifecycle.js';
import { isUuid } from '../../shared/platform/formats/format.js';
import {
  deletedFolders,
  knownSources,
  retainedFilesOf,
  type DeletedFolder,
} from '../../shared/content/content.queries.js';
import { isObsolete } from '../../shared/content/retainedFiles.js';
import { contentIdOfKey } from '../../shared/content/storageKeys.js';
import { existingThumbnails } from '../../shared/content/thumbnail.service.js';
import type { Context } from '../../shared/platform/context.js';
import { eachRow } from '../../shared/platform/database/eachRow.js';
import type { Logger } from '../../shared/platform/log.js';
import { readSweepPosition, storeSweepPosition } from '../../shared/platform/database/sweepPosition.js';
import type { StoredFile } from '../../shared/platform/storage/storage.js';
import { unknownCastFiles } from '../../shared/cast/preparation.sweep.js';
import { unknownLiveFiles } from '../../shared/streaming/runSweep.service.js';
import { retainedGenerations } from '../../shared/generationsInUse.js';
import type { Handler } from '../runtime/jobTypes.js';

/** The rows of younger files may not be committed yet. */
const orphanMs = 24 * 3600_000;
/** The page size of an object store's listing. */
const sliceFiles = 1_000;
const sliceFolders = 100;
/** Maximum time of the search for orphans, which continues at the same position the next night. */
const nightMs = 50 * 60_000;

/** Returns those of the keys to which no row refers. */
type Orphans = (ctx: Context, keys: readonly string[]) => Promise<readonly string[]>;

/** The folders of the storage, in search order. */
const folders: Readonly<Record<string, Orphans>> = {
  sources: unknownSources,
  thumbnails: unknownThumbnails,
  content: obsoleteFiles,
  live: unknownLiveFiles,
  cast: unknownCastFiles,
};

/**
 * `content.sweepFiles`: removes stored files that are a day old and to which no row refers. Folders of deleted contents are known
 * from their rows. Other orphans are found by listing all files in slices, which continues at the stored position, also after a
 * crash.
 */
export const sweepFilesHandler: Handler<object> = async ({ ctx, log, signal }) => {
  const before = new Date(ctx.clock.now().getTime() - orphanMs);
  const deletedContents = await removeDeletedFolders(ctx, log, before, signal);
  const orphans = await searchOrphans(ctx, before, signal);
  if (orphans > 0) log.warn({ orphans }, 'orphaned stored files removed');
  return { deletedContents, orphans };
};

/** Removes the folders of contents that were deleted a day ago, a second time. Resolves with their number. */
async function removeDeletedFolders(ctx: Context, log: Logger, before: Date, signal: AbortSignal): Promise<number> {
  const name = 'files.deletedContents';
  let after = await readSweepPosition(ctx, name);
  return eachRow<DeletedFolder>({
    ...{ log, signal },
    async read(last) {
      if (last) await storeSweepPosition(ctx, name, (after = last.position));
      return deletedFolders(ctx, { after, before, limit: sliceFolders });
    },
    async work({ folder }) {
      if (folder !== null) await ctx.storage.removeAll(`content/${folder}`);
    },
  });
}

/**
 * Lists the files from the stored position on, to the last one or until `nightMs` have passed. Resolves with the number of removed
 * files.
 */
async function searchOrphans(ctx: Context, before: Date, signal: AbortSignal): Promise<number> {
  const name = 'files.orphans';
  const until = performance.now() + nightMs;
  const begun = await readSweepPosition(ctx, name);
  const names = Object.keys(folders);
  let removed = 0;
  for (const folder of names.slice(Math.max(0, names.indexOf(begun?.split('/')[0] ?? '')))) {
    const after = begun?.startsWith(`${folder}/`) ? begun : undefined;
    for await (const slice of slicesOf(ctx.storage.list(folder, after))) {
      signal.throwIfAborted();
      const old = slice.filter(({ modifiedAt }) => modifiedAt < before).map(({ key }) => key);
      const orphaned = old.length > 0 ? await folders[folder]?.(ctx, old) : undefined;
      if (orphaned) await ctx.storage.remove(orphaned);
      removed += orphaned?.length ?? 0;
      await storeSweepPosition(ctx, name, slice.at(-1)?.key ?? null);
      if (performance.now() > until) return removed;
    }
  }
  await storeSweepPosition(ctx, name, null);
  return removed;
}

async function* slicesOf(files: AsyncIterable<StoredFile>): AsyncGenerator<readonly StoredFile[]> {
  let slice: StoredFile[] = [];
  for await (const file of files) {
    slice.push(file);
    if (slice.length < sliceFiles) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
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
