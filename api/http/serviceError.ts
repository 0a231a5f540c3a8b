import type { ProcessContext } from '../../shared/platform/processContext.js';
import {
  conflictOf,
  isDatabaseAway,
  isSchemaOutdated,
  isStatementCancelled,
} from '../../shared/platform/database/databaseErrors.js';
import { MalformedRequestError, ServiceError, TooLargeError, UnavailableError } from '../../shared/platform/errors.js';
import { awayDependency } from '../../shared/platform/readiness/awayDependency.js';
import { UnsupportedMediaTypeError } from './httpErrors.js';

/** The name of a content coding comes from the request. */
const maxNamedCoding = 50;

/** Converts known errors of the database, of other dependencies that are away, of Express and its body reader; undefined for any other. */
export function serviceErrorOf(ctx: Pick<ProcessContext, 'readiness'>, error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  const detail = databaseFaultOf(ctx, error) ?? outageOfDependency(error);
  if (detail !== null) return new UnavailableError({ key: 'error.unavailable', detail, cause: error });
  return readingErrorOf(error as ReadingError);
}

/**
 * Why the database has refused what may be tried again later (503), for the log; null for any other error. Where the migrations
 * have run, a missing table or column is a defect of ours.
 */
function databaseFaultOf({ readiness }: Pick<ProcessContext, 'readiness'>, error: unknown): string | null {
  if (isDatabaseAway(error)) return 'database unavailable';
  if (conflictOf(error)) return 'deadlock';
  if (isStatementCancelled(error)) return 'statement timeout';
  return isSchemaOutdated(error) && readiness.known().database !== null ? 'database not migrated' : null;
}

/** For the log; null for any other error. The caller may try again later (503). */
function outageOfDependency(error: unknown): string | null {
  const dependency = awayDependency(error);
  return dependency && `${dependency} unavailable`;
}

/** Members of errors of Express (a path that cannot be decoded) and of its body reader. Other errors may have others. */
interface ReadingError {
  readonly status?: unknown;
  readonly code?: unknown;
  /** Of a body that is too large. */
  readonly limit?: unknown;
  /** The content coding, where it is not known. */
  readonly encoding?: unknown;
}

/** Errors that the caller caused have a status below 500. */
function readingErrorOf(error: ReadingError): ServiceError | undefined {
  const { status, limit, encoding, code } = error;
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  if (status === 413) return new TooLargeError(Number(limit), error);
  if (status === 415) {
    const coding = String(encoding).slice(0, maxNamedCoding);
    return new UnsupportedMediaTypeError({ key: 'error.contentCoding', values: { coding }, cause: error });
  }
  const key =
    error instanceof URIError
      ? 'error.address'
      : String(code).startsWith('Z_')
        ? 'error.compression'
        : 'error.malformed';
  return new MalformedRequestError({ key, cause: error });
}
