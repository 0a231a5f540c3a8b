import { QuotaExceededError } from '../platform/errors.js';

/**
 * A multipart form is longer than its file. This allowance is subtracted, so that a file of exactly the maximum size is
 * accepted.
 */
export const formOverheadBytes = 64 * 1024;

/** Stored and reserved quota, and the plan's limits: a part of `Usage` (`usage.service.ts`). */
interface QuotaState {
  readonly storedBytes: number;
  readonly reservedBytes: number;
  readonly uploads: number;
  readonly reservedUploads: number;
  readonly storageLimitBytes: number;
  readonly maxVideoBytes: number;
  readonly maxUploadNumber: number;
}

/**
 * The error for the first limit that the current usage exceeds. If bytes were released meanwhile and no limit is
 * exceeded, it is STORAGE.
 */
export function quotaErrorOf(usage: QuotaState, bytes: number, uploads: number, fileBytes = bytes): QuotaExceededError {
  if (fileBytes - formOverheadBytes > usage.maxVideoBytes) return fileTooLarge(usage.maxVideoBytes);
  const full = usage.maxUploadNumber > 0 && usage.uploads + usage.reservedUploads + uploads > usage.maxUploadNumber;
  if (full)
    return new QuotaExceededError('UPLOAD_COUNT', {
      key: 'license.uploadCount',
      values: { limit: usage.maxUploadNumber },
      exceeded: { maximum: usage.maxUploadNumber, unit: 'uploads' },
    });
  return storageFull(usage);
}

/** The error STORAGE, with the free megabytes. */
export function storageFull(usage: QuotaState): QuotaExceededError {
  const freeBytes = usage.storageLimitBytes - usage.storedBytes - usage.reservedBytes;
  const megabytes = Math.max(0, Math.floor(freeBytes / 1024 ** 2));
  return new QuotaExceededError('STORAGE', {
    key: 'license.storage',
    values: { gigabytes: usage.storageLimitBytes / 1024 ** 3, megabytes },
    exceeded: { maximum: usage.storageLimitBytes, unit: 'bytes' },
  });
}

export function fileTooLarge(limitBytes: number): QuotaExceededError {
  return new QuotaExceededError('FILE_SIZE', {
    key: 'license.fileSize',
    values: { gigabytes: limitBytes / 1024 ** 3 },
    exceeded: { maximum: limitBytes, unit: 'bytes' },
  });
}
