import { formatBytes } from './formats/format.js';

/** A message that is inserted into another one, in the language of the caller. */
export interface InsertedMessage {
  readonly key: string;
  readonly values?: ErrorValues;
}

/** Several inserted messages are separated by a space. */
export type ErrorValues = Readonly<Record<string, string | number | readonly InsertedMessage[]>>;

/**
 * The errors of the service, one class for each kind. An error has two messages: an internal one (`detail` and `cause`, for the
 * log) and a public one (`key` and `values`, localized for the caller). `api/http/errorResponse.ts` is the only place that turns
 * an error into a status and a body.
 */
export interface ErrorMessage {
  /** Key of the public message in `shared/messages.ts`. */
  readonly key: string;
  /** Values inserted into the public message; never secrets. */
  readonly values?: ErrorValues;
  /** Internal message. */
  readonly detail?: string;
  readonly cause?: unknown;
  /** Member `limit` of the response, if a limit was exceeded. */
  readonly exceeded?: ExceededLimit;
}

/** The exceeded limit: `docs/contract.md#choices-errors`. */
export interface ExceededLimit {
  readonly maximum: number;
  readonly unit: 'bytes' | 'chunks' | 'minutes' | 'requests' | 'uploads';
  /** The period to which the maximum applies; if absent, the maximum applies at any one moment. */
  readonly seconds?: number;
}

/** Base of all expected errors. Any other error is a defect: the caller gets 500 with a general message. */
export abstract class ServiceError extends Error {
  readonly key: string;
  readonly values: ErrorValues;
  readonly exceeded: ExceededLimit | undefined;

  constructor(errorMessage: ErrorMessage) {
    super(
      errorMessage.detail ?? errorMessage.key,
      errorMessage.cause === undefined ? undefined : { cause: errorMessage.cause },
    );
    this.name = new.target.name;
    this.key = errorMessage.key;
    this.values = errorMessage.values ?? {};
    this.exceeded = errorMessage.exceeded;
  }
}

/** One rejected member of a request: `docs/contract.md#choices-errors`. */
export interface FieldError {
  readonly field: string;
  readonly code: string;
  /** Message key and values of `defaultMessage`. */
  readonly key: string;
  readonly values?: ErrorValues;
  readonly rejectedValue?: unknown;
}

/** The key of a validation error without a message of its own: the response then names the first rejected member. */
export const generalValidationKey = 'error.validation';

/** 400 with one entry for each rejected member. */
export class ValidationError extends ServiceError {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[], errorMessage: Partial<ErrorMessage> = {}) {
    const detail = errors.map((error) => `${error.field}: ${error.code}`).join(', ');
    super({ key: generalValidationKey, detail, ...errorMessage });
    this.errors = errors;
  }
}

/** The error of an update that lacks a member which the resulting item requires. */
export function missingMember(field: string): ValidationError {
  return new ValidationError([{ field, code: 'required', key: 'validation.required' }]);
}

/** 400: the request cannot be read (invalid JSON, broken multipart). */
export class MalformedRequestError extends ServiceError {}

/**
 * 404: unknown id, malformed id and another user's private item alike, so that a caller cannot find out which ids
 * exist.
 */
export class NotFoundError extends ServiceError {
  constructor(errorMessage: Partial<ErrorMessage> = {}) {
    super({ key: 'error.notFound', ...errorMessage });
  }
}

/** The value. Throws NotFoundError if there is none. */
export function orNotFound<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new NotFoundError();
  return value;
}

/** For `catch`: null for a NotFoundError; throws every other error. */
export function nullWhereNotFound(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}

/** 403: the caller is authenticated and may not do this. */
export class ForbiddenError extends ServiceError {}

export type QuotaLimit = 'STORAGE' | 'FILE_SIZE' | 'UPLOAD_COUNT' | 'MEDIA_MINUTES' | 'WAITING_WORK';

/** A quota of the caller is used up: 413 for sizes, 409 for counts, with an exception name for each limit. Never 403. */
export class QuotaExceededError extends ServiceError {
  readonly limit: QuotaLimit;

  constructor(limit: QuotaLimit, errorMessage: ErrorMessage) {
    super(errorMessage);
    this.limit = limit;
  }
}

/** 409: the item is in use, or a unique value is taken. */
export class ConflictError extends ServiceError {}

/** 402: the caller must pay first, in operations whose response has no `result` member. */
export class PaymentRequiredError extends ServiceError {}

/** 408: the body did not arrive in time. The connection is closed. */
export class RequestTimeoutError extends ServiceError {}

/** 412: the item has changed since the caller read it (`If-Match`). */
export class PreconditionFailedError extends ServiceError {}

/** 413: the body is larger than the limit. */
export class TooLargeError extends ServiceError {
  constructor(maxBytes: number, cause?: unknown) {
    super({
      key: 'error.tooLarge',
      values: { maximum: formatBytes(maxBytes) },
      exceeded: { maximum: maxBytes, unit: 'bytes' },
      cause,
    });
  }
}

/** 416: the requested range is outside the file. */
export class RangeNotSatisfiableError extends ServiceError {
  readonly totalBytes: number;

  constructor(totalBytes: number) {
    super({ key: 'error.range' });
    this.totalBytes = totalBytes;
  }
}

/** 429 with `Retry-After`. `permitted`: the exceeded limit, within `seconds` or at the same time; the message names it. */
export class TooManyRequestsError extends ServiceError {
  readonly retryAfterSeconds: number;

  constructor(
    retryAfterSeconds: number,
    permitted?: Omit<ExceededLimit, 'unit'>,
    errorMessage: Partial<ErrorMessage> = {},
  ) {
    const { maximum = 0, seconds = 0 } = permitted ?? {};
    super({
      key: !permitted ? 'error.tooManyRequests' : seconds ? 'error.tooManyInTime' : 'error.tooManyAtOnce',
      values: { retryAfterSeconds, maximum, minutes: Math.ceil(seconds / 60) },
      ...(permitted ? { exceeded: { ...permitted, unit: 'requests' } } : {}),
      ...errorMessage,
    });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 507: a disk or an object store of the service is full. */
export class InsufficientStorageError extends ServiceError {}

/** 503: a dependency of the request is unavailable; the caller may try again. */
export class UnavailableError extends ServiceError {}
