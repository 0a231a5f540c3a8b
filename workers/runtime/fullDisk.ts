import { InsufficientStorageError } from '../../shared/platform/errors.js';
import { freeBytesOf } from '../../shared/platform/storage/freeSpace.js';
import { isStorageFull } from '../../shared/platform/storage/storageFull.js';
import { fullBytes } from '../media/index.js';

/**
 * Returns the error of failed work in a folder, or, if its disk is full, an InsufficientStorageError, which does not count as an
 * attempt. Call it before the folder is removed. `toolVerdict.ts` detects a full disk that tools report.
 */
export async function failureIn(folder: string, error: unknown): Promise<unknown> {
  if (error instanceof InsufficientStorageError) return error;
  const freeBytes = await freeBytesOf(folder).catch(() => Number.POSITIVE_INFINITY);
  if (!isStorageFull(error) && freeBytes >= fullBytes) return error;
  const detail = `no space left in ${folder} (ENOSPC)`;
  return new InsufficientStorageError({ key: 'error.insufficientStorage', detail, cause: error });
}
