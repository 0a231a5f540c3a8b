import multer from 'multer';
import { MalformedRequestError, ServiceError, TooLargeError, ValidationError } from '../../shared/platform/errors.js';

/** The longest text part of a form. */
export const maximumFieldBytes = 64 * 1024;

/**
 * The error for the caller where a form could not be read; other errors unchanged. `part` is the name of the file part.
 */
export function uploadErrorOf(error: unknown, part: string): unknown {
  if (error instanceof ServiceError) return error;
  if (error instanceof multer.MulterError) return serviceErrorOf(error, error.field ?? part);
  return isParserError(error) ? new MalformedRequestError({ key: 'upload.malformed', cause: error }) : error;
}

function serviceErrorOf(error: multer.MulterError, field: string): ServiceError {
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

/** The multipart parser throws plain errors, which only their messages identify. */
function isParserError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(Unexpected end of (form|file)|Malformed|Multipart:|Missing Content-Type|Unsupported content type|Request (aborted|closed))/.test(
      error.message,
    )
  );
}
