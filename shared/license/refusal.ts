import { QuotaExceededError } from '../platform/errors.js';

/** A request is a little longer than its file: the form's text parts may not cost a file that just fits. */
export const formOverheadBytes = 64 * 1024;

/** What the limits are compared with; `Usage` of `usage.ts` has all of it. */
interface QuotaState {
  readonly storedBytes: number;
  readonly reservedBytes: number;
  readonly uploads: number;
  readonly reservedUploads: number;
  readonly storageLimitBytes: number;
  readonly maxVideoBytes: number;
  readonly maxUploadNumber: number;
}

/** Which limit stood in the way, as the numbers are now; where others have made room in between, storage is named. */
export function refusal(usage: QuotaState, bytes: number, uploads: number, fileBytes = bytes): QuotaExceededError {
  if (fileBytes - formOverheadBytes > usage.maxVideoBytes) return fileTooLarge(usage.maxVideoBytes);
  const full = usage.maxUploadNumber > 0 && usage.uploads + usage.reservedUploads + uploads > usage.maxUploadNumber;
  if (full)
    return new QuotaExceededError('UPLOAD_COUNT', {
      key: 'license.uploadCount',
      values: { limit: usage.maxUploadNumber },
    });
  return storageFull(usage);
}

/** STORAGE, with what is left. */
export function storageFull(usage: QuotaState): QuotaExceededError {
  const freeBytes = usage.storageLimitBytes - usage.storedBytes - usage.reservedBytes;
  const megabytes = Math.max(0, Math.floor(freeBytes / 1024 ** 2));
  return new QuotaExceededError('STORAGE', {
    key: 'license.storage',
    values: { gigabytes: usage.storageLimitBytes / 1024 ** 3, megabytes },
  });
}

export function fileTooLarge(limitBytes: number): QuotaExceededError {
  return new QuotaExceededError('FILE_SIZE', {
    key: 'license.fileSize',
    values: { gigabytes: limitBytes / 1024 ** 3 },
  });
}
