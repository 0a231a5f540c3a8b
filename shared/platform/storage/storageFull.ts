import { InsufficientStorageError } from '../errors.js';

/** A disk is full, or the share of it that the user of this process has. */
const fullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT'];
/** What object stores answer when their disks are full. */
const fullStatus = 507;

interface SystemError {
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Whether an error, or one that it follows from, says that a disk or an object store is full. */
export function isStorageFull(error: unknown): boolean {
  if (error instanceof InsufficientStorageError) return true;
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause, $metadata } = error as SystemError;
  return fullCodes.includes(code) || $metadata?.httpStatusCode === fullStatus || isStorageFull(cause);
}

/** Resolves as `work` does. Where it finds `place` full, rejects with InsufficientStorageError, which names the place in the log. */
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
