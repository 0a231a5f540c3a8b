import { constants } from 'node:fs';
import { mkdir, open, rename, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { withErrorListener } from '../errorListener.js';
import { NotFoundError, RangeNotSatisfiableError } from '../errors.js';

/**
 * Creates the folder of a path, and then the file in it. Other calls remove empty folders, also during the two steps, which are
 * then repeated.
 */
export async function inFolderOf<Result>(path: string, create: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await mkdir(dirname(path), { recursive: true });
      return await create();
    } catch (error) {
      if (!isAbsent(error) || attempt === 5) throw error;
    }
  }
}

export async function moveIntoPlace(temporary: string, path: string): Promise<void> {
  await inFolderOf(path, () => rename(temporary, path));
  await flushFolder(dirname(path));
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

export async function readFileStream(
  path: string,
  range: { start: number; end: number } | undefined,
): Promise<Readable> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    if (isAbsent(error)) throw new NotFoundError({ detail: `no stored file at ${path}` });
    throw error;
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new NotFoundError({ detail: `no stored file at ${path}` });
    if (range && (range.start >= stats.size || range.end < range.start)) throw new RangeNotSatisfiableError(stats.size);
    return withErrorListener(handle.createReadStream({ highWaterMark: 256 * 1024, ...range }));
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Removes empty folders, from the innermost to the root. */
export async function pruneEmpty(root: string, folder: string): Promise<void> {
  for (let current = folder; current.length > root.length; current = dirname(current)) {
    try {
      await rmdir(current);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') return;
    }
  }
}

export function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '');
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
