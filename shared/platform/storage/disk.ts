import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { copyFile, link, lstat, mkdir, open, readdir, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { NotFoundError } from '../errors.js';
import { checkByUse } from './checkByUse.js';
import { diskArrivals } from './diskArrivals.js';
import { codeOf, isAbsent, moveIntoPlace, pruneEmpty, readFileStream } from './diskFiles.js';
import { assertKey, folderOf } from './keys.js';
import type { Storage, StoredFile } from './storage.js';
import { namingFullStorage } from './storageFull.js';

/** Not a valid key, so no key leads into this folder. */
const unfinishedFolder = '.unfinished';

/**
 * Files in a local folder. A file is written to a temporary path, flushed to the disk, and renamed to its final path. Symbolic
 * links are never followed: a rename replaces them, and reading fails.
 */
export function openDiskStorage(root: string): Storage {
  const pathOf = (key: string): string => join(root, assertKey(key));
  const storage: Storage = {
    put: async (key, body, options) => namingFullStorage(root, putBody(root, pathOf(key), body, options.signal)),
    putFile: async (key, path, options) => namingFullStorage(root, putLink(root, pathOf(key), path, options.signal)),
    async copy(fromKey, toKey, options) {
      await namingFullStorage(root, putLink(root, pathOf(toKey), pathOf(fromKey), options.signal));
    },
    async stat(key) {
      const stats = await statsOf(pathOf(key));
      return stats && storedFile(key, stats);
    },
    read: async (key, range) => readFileStream(pathOf(key), range),
    fetch: async (key, path) => namingFullStorage(dirname(path), linkOrCopy(pathOf(key), path)),
    localPath: pathOf,
    presign: async () => null,
    async remove(keys) {
      for (const key of keys) await removeFile(root, pathOf(key));
    },
    async removeAll(prefix) {
      const folder = folderOf(assertKey(prefix.replace(/\/$/, '')));
      await rm(join(root, folder), { recursive: true, force: true });
      await pruneEmpty(root, dirname(join(root, folder)));
    },
    list: (prefix, after) => listFolder(root, folderOf(prefix), after),
    removeUnfinished: (before) => removeUnfinished(join(root, unfinishedFolder), before),
    check: () => checkByUse(storage),
    arrivals: diskArrivals(root),
  };
  return storage;
}

async function putBody(
  root: string,
  path: string,
  body: Readable | Buffer,
  signal: AbortSignal | undefined,
): Promise<{ bytes: number }> {
  signal?.throwIfAborted();
  const temporary = join(root, unfinishedFolder, randomUUID());
  await mkdir(dirname(temporary), { recursive: true });
  // Opened before the body is read, so that the file to be removed below exists even if the body fails at once.
  const handle = await open(temporary, 'wx');
  try {
    const output = handle.createWriteStream({ flush: true, highWaterMark: 1024 ** 2 });
    await pipeline(
      Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : body,
      output,
      signal ? { signal } : {},
    );
    signal?.throwIfAborted();
    await moveIntoPlace(temporary, path);
    return { bytes: output.bytesWritten };
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The same file under another path, without copying if both paths are on one disk. */
async function putLink(
  root: string,
  path: string,
  source: string,
  signal: AbortSignal | undefined,
): Promise<{ bytes: number }> {
  signal?.throwIfAborted();
  const temporary = join(root, unfinishedFolder, randomUUID());
  await mkdir(dirname(temporary), { recursive: true });
  await linkOrCopy(source, temporary);
  try {
    const bytes = await flushFile(temporary);
    signal?.throwIfAborted();
    await moveIntoPlace(temporary, path);
    return { bytes };
  } finally {
    // If both paths are links to the same file already, the rename does not remove the temporary one.
    await rm(temporary, { force: true });
  }
}

/** Resolves with the size of the file when its bytes are flushed to the disk. */
async function flushFile(path: string): Promise<number> {
  const handle = await open(path, 'r');
  try {
    await handle.datasync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

async function linkOrCopy(source: string, path: string): Promise<void> {
  if ((await statsOf(source)) === null) throw new NotFoundError({ detail: `no stored file at ${source}` });
  await rm(path, { force: true });
  try {
    await link(source, path);
  } catch (error) {
    if (isAbsent(error) && (await statsOf(source)) === null)
      throw new NotFoundError({ detail: `no stored file at ${source}` });
    await copyFile(source, path, constants.COPYFILE_FICLONE);
  }
}

async function removeFile(root: string, path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (!isAbsent(error) && codeOf(error) !== 'EISDIR' && codeOf(error) !== 'EPERM') throw error;
  });
  await pruneEmpty(root, dirname(path));
}

async function* listFolder(root: string, folder: string, after?: string): AsyncGenerator<StoredFile> {
  // The entry that equals or contains `after`: earlier entries are skipped.
  const first = after?.startsWith(folder) ? after.slice(folder.length).split('/')[0] : undefined;
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith('.') || (first !== undefined && entry.name < first)) continue;
    if (entry.isDirectory())
      yield* listFolder(root, `${folder}${entry.name}/`, entry.name === first ? after : undefined);
    if (!entry.isFile() || entry.name === first) continue;
    const stats = await statsOf(join(root, folder, entry.name));
    if (stats) yield storedFile(`${folder}${entry.name}`, stats);
  }
}

async function removeUnfinished(folder: string, before: Date): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [] as string[])) {
    const stats = await statsOf(join(folder, name));
    if (stats === null || stats.mtime >= before) continue;
    await rm(join(folder, name), { force: true });
    removed += 1;
  }
  return removed;
}

async function statsOf(path: string): Promise<Stats | null> {
  const stats = await lstat(path).catch((error: unknown) => {
    if (isAbsent(error)) return null;
    throw error;
  });
  return stats?.isFile() ? stats : null;
}

function storedFile(key: string, stats: Stats): StoredFile {
  return { key, bytes: stats.size, modifiedAt: stats.mtime, etag: etagOf(stats) };
}

/** Size and modification time: files never change in place, so these identify the content. */
function etagOf(stats: Pick<Stats, 'size' | 'mtimeMs'>): string {
  return `"${stats.size.toString(16)}-${Math.round(stats.mtimeMs * 1000).toString(16)}"`;
}
