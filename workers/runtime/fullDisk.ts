import { InsufficientStorageError } from '../../shared/platform/errors.js';
import { freeBytesOf } from '../../shared/platform/storage/freeSpace.js';
import { isStorageFull } from '../../shared/platform/storage/storageFull.js';

/** On a disk with less space nearly everything fails, and a tool may not even report it: ffmpeg can end with 0. */
const fullBytes = 4 * 1024 ** 2;
/** The words of tools may also stand in a hostile file. They count where there is little space, which others may have freed since. */
const littleBytes = 1024 ** 3;
const wordsOfTools = /No space left on device|Disk quota exceeded/;

/**
 * The error with which work in a folder has failed; where its disk is full, an InsufficientStorageError, which counts as no
 * attempt. To be asked before the folder is removed.
 */
export async function failureIn(folder: string, error: unknown): Promise<unknown> {
  if (error instanceof InsufficientStorageError) return error;
  const freeBytes = await freeBytesOf(folder).catch(() => Number.POSITIVE_INFINITY);
  const { message } = error as Error;
  const isFull = isStorageFull(error) || freeBytes < (wordsOfTools.test(message) ? littleBytes : fullBytes);
  if (!isFull) return error;
  const detail = `no space left in ${folder} (ENOSPC)`;
  return new InsufficientStorageError({ key: 'error.insufficientStorage', detail, cause: error });
}
