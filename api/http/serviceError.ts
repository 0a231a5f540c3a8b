import type { ProcessContext } from '../../shared/platform/processContext.js';
import {
  conflictOf,
  isDatabaseUnreachable,
  isSchemaOutdated,
  isStatementCancelled,
} from '../../shared/platform/database/databaseErrors.js';
import { MalformedRequestError, ServiceError, TooLargeError, UnavailableError } from '../../shared/platform/errors.js';
import { unreachableDependency } from '../../shared/platform/readiness/unreachableDependency.js';
import { UnsupportedMediaTypeError } from './httpErrors.js';

/** Limit of a content coding's name, which comes from the request. */
const maxNamedCoding = 50;

/**
 * Converts known errors of the database, of unavailable dependencies, of Express and its body reader; undefined for other errors.
 */
export function serviceErrorOf(ctx: Pick<ProcessContext, 'readiness'>, error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  const detail = databaseFaultOf(ctx, error) ?? outageOfDependency(error);
  if (detail !== null) return new UnavailableError({ key: 'error.unavailable', detail, cause: error });
  return readingErrorOf(error as ReadingError);
}

/**
 * The reason, for the log, if a statement can be retried later (503); null for other errors. After the migrations have run, a
 * missing table or column is a defect of the code.
 */
function databaseFaultOf({ readiness }: Pick<ProcessContext, 'readiness'>, error: unknown): string | null {
  if (isDatabaseUnreachable(error)) return 'database unavailable';
  if (conflictOf(error)) return 'deadlock';
  if (isStatementCancelled(error)) return 'statement timeout';
  return isSchemaOutdated(error) && readiness.known().database !== null ? 'database not migrated' : null;
}

/** The unavailable dependency, for the log; the caller can retry later (503). Null for other errors. */
function outageOfDependency(error: unknown): string | null {
  const dependency = unreachableDependency(error);
  return dependency && `${dependency} unavailable`;
}

/** Members of errors of Express (a path that cannot be decoded) and of its body reader. */
interface ReadingError {
  readonly status?: unknown;
  readonly code?: unknown;
  /** The limit that the body exceeds. */
  readonly limit?: unknown;
  /** The unknown content coding. */
  readonly encoding?: unknown;
}

/** Only errors with a status below 500 are caused by the caller. */
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
