import { ERRORS } from '@tus/server';
import {
  ConflictError,
  MalformedRequestError,
  NotFoundError,
  ServiceError,
  TooLargeError,
} from '../../../shared/platform/errors.js';
import { LeaseLostError } from '../../../shared/platform/lease.js';

/** Messages of the errors that a request without the right headers makes. */
const malformed = new Map<unknown, string>([
  [ERRORS.MISSING_OFFSET, 'tus.offsetMissing'],
  [ERRORS.INVALID_LENGTH, 'tus.length'],
  [ERRORS.INVALID_METADATA, 'tus.metadata'],
  [ERRORS.ABORTED, 'upload.aborted'],
]);

/** An error of the package, or of our store, as the service responds with it. */
export function errorOfProtocol(error: unknown, maximumBytes: number): unknown {
  if (error instanceof ServiceError) return error;
  if (error instanceof LeaseLostError) return new ConflictError({ key: 'upload.inProgress', cause: error });
  const key = malformed.get(error);
  if (key !== undefined) return new MalformedRequestError({ key });
  if (error === ERRORS.INVALID_OFFSET) return new ConflictError({ key: 'tus.offset' });
  if (error === ERRORS.FILE_NOT_FOUND || error === ERRORS.FILE_NO_LONGER_EXISTS) return new NotFoundError();
  if (error === ERRORS.ERR_MAX_SIZE_EXCEEDED) return new TooLargeError(maximumBytes);
  // The package throws two errors for it: by Content-Length, and where the body is longer than it may be.
  if (statusOf(error) === 413) return new MalformedRequestError({ key: 'tus.beyondLength' });
  return error;
}

function statusOf(error: unknown): unknown {
  return (error as { readonly status_code?: unknown } | null)?.status_code;
}
