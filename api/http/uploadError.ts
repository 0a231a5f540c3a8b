import multer from 'multer';
import { MalformedRequestError, ServiceError, TooLargeError, ValidationError } from '../../shared/platform/errors.js';

/** The longest text part of a form. */
export const maximumFieldBytes = 64 * 1024;

/**
 * What the caller is told about a form that could not be taken; faults of ours pass unchanged. `part` is the file's.
 */
export function uploadErrorOf(error: unknown, part: string): unknown {
  if (error instanceof ServiceError) return error;
  if (error instanceof multer.MulterError) return refusalOf(error, error.field ?? part);
  return isParserError(error) ? new MalformedRequestError({ key: 'upload.malformed', cause: error }) : error;
}

function refusalOf(error: multer.MulterError, field: string): ServiceError {
  switch (error.code) {
    case 'LIMIT_FILE_SIZE':
      return new TooLargeError({ key: 'error.tooLarge', cause: error });
    case 'LIMIT_UNEXPECTED_FILE':
    case 'LIMIT_FILE_COUNT':
      return new ValidationError([{ field, code: 'unexpectedFile', key: 'upload.unexpectedFile' }]);
    case 'LIMIT_FIELD_VALUE':
      return new ValidationError([
        { field, code: 'tooLong', key: 'validation.tooLong', values: { limit: maximumFieldBytes } },
      ]);
    default:
      return new MalformedRequestError({ key: 'upload.malformed', cause: error });
  }
}

/** The multipart parser throws plain errors; these are its sentences. */
function isParserError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(Unexpected end of (form|file)|Malformed|Multipart:|Missing Content-Type|Unsupported content type|Request (aborted|closed))/.test(
      error.message,
    )
  );
}
