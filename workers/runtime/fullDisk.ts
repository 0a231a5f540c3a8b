import { InsufficientStorageError } from '../../shared/platform/errors.js';
import { freeBytesOf } from '../../shared/platform/storage/freeSpace.js';
import { isStorageFull } from '../../shared/platform/storage/storageFull.js';
import { fullBytes } from '../media/index.js';

/**
 * The error with which work in a folder has failed; where its disk is full, an InsufficientStorageError, which counts as no
 * attempt. To be asked before the folder is removed. What tools report of a full disk, `toolVerdict.ts` has recognized.
 */
export async function failureIn(folder: string, error: unknown): Promise<unknown> {
  if (error instanceof InsufficientStorageError) return error;
  const freeBytes = await freeBytesOf(folder).catch(() => Number.POSITIVE_INFINITY);
  if (!isStorageFull(error) && freeBytes >= fullBytes) return error;
  const detail = `no space left in ${folder} (ENOSPC)`;
  return new InsufficientStorageError({ key: 'error.insufficientStorage', detail, cause: error });
}
