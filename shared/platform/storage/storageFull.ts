import { InsufficientStorageError } from '../errors.js';

/** Error codes of a full disk, and of an exhausted disk quota. */
const fullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT'];
/** Responses of object stores whose disks are full. */
const fullStatus = 507;

interface SystemError {
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Whether an error or one of its causes means that a disk or an object store is full. */
export function isStorageFull(error: unknown): boolean {
  if (error instanceof InsufficientStorageError) return true;
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause, $metadata } = error as SystemError;
  return fullCodes.includes(code) || $metadata?.httpStatusCode === fullStatus || isStorageFull(cause);
}

/** Settles like `work`. If `place` is full, rejects with InsufficientStorageError, whose detail names the place for the log. */
export async function namingFullStorage<Result>(place: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isStorageFull(error) || error instanceof InsufficientStorageError) throw error;
    const { code = fullStatus } = error as SystemError;
    throw new InsufficientStorageError({
      key: 'error.insufficientStorage',
      detail: `no space left in ${place} (${String(code)})`,
      cause: error,
    });
  }
}
