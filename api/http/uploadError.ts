import multer from 'multer';
import { MalformedRequestError, ServiceError, TooLargeError, ValidationError } from '../../shared/platform/errors.js';

/** Size limit of a text part. */
export const maxFieldBytes = 64 * 1024;

/** Name and size limit of the file part. */
interface FilePart {
  readonly part: string;
  readonly maxBytes: number;
}

/**
 * Converts the errors of a form that could not be read; returns other errors unchanged.
 */
export function uploadErrorOf(error: unknown, file: FilePart): unknown {
  if (error instanceof ServiceError) return error;
  if (error instanceof multer.MulterError) return serviceErrorOf(error, file);
  return isParserError(error) ? new MalformedRequestError({ key: 'upload.malformed', cause: error }) : error;
}

function serviceErrorOf(error: multer.MulterError, { part, maxBytes }: FilePart): ServiceError {
  const { field = part } = error;
  switch (error.code) {
    case 'LIMIT_FILE_SIZE':
      return new TooLargeError(maxBytes, error);
    case 'LIMIT_UNEXPECTED_FILE':
    case 'LIMIT_FILE_COUNT':
      return unexpectedFile(field, part);
    case 'LIMIT_FIELD_VALUE':
      return new ValidationError([
        { field, code: 'tooLong', key: 'validation.tooLong', values: { limit: maxFieldBytes } },
      ]);
    default:
      return new MalformedRequestError({ key: 'upload.malformed', cause: error });
  }
}

/** A second file, or a file in another part. The message names the part of the file. */
function unexpectedFile(field: string, part: string): ValidationError {
  const errorMessage =
    field === part
      ? { key: 'upload.secondFile', values: { part } }
      : { key: 'upload.otherPart', values: { part, sent: field } };
  return new ValidationError([{ field, code: 'unexpectedFile', ...errorMessage }], errorMessage);
}

/** The multipart parser throws plain errors: only their messages identify them. */
function isParserError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(Unexpected end of (form|file)|Malformed|Multipart:|Missing Content-Type|Unsupported content type|Request (aborted|closed))/.test(
      error.message,
    )
  );
}
