/**
 * Every refusal the service can answer with, one class per kind. An error has two voices: `message`
 * and `cause` speak to the log; `key` and `values` name a localized sentence for the caller.
 * `api/http/errorResponse` is the only place that turns one into a status and a body.
 */
export interface ErrorMessage {
  /** Key of the caller's sentence in `shared/messages.ts`. */
  readonly key: string;
  /** Values interpolated into that sentence; never secrets. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** Detail for the log alone. */
  readonly detail?: string;
  readonly cause?: unknown;
}

/** Base of all expected errors; anything else that is thrown is a fault of ours and says nothing. */
export abstract class ServiceError extends Error {
  readonly key: string;
  readonly values: Readonly<Record<string, string | number>>;

  constructor(errorMessage: ErrorMessage) {
    super(
      errorMessage.detail ?? errorMessage.key,
      errorMessage.cause === undefined ? undefined : { cause: errorMessage.cause },
    );
    this.name = new.target.name;
    this.key = errorMessage.key;
    this.values = errorMessage.values ?? {};
  }
}

/** One refused member of a request: `docs/contract.md#choices-errors`. */
export interface FieldError {
  readonly field: string;
  readonly code: string;
  /** Message key and values of `defaultMessage`. */
  readonly key: string;
  readonly values?: Readonly<Record<string, string | number>>;
  readonly rejectedValue?: unknown;
}

/** 400 with one entry per refused member, all at once. */
export class ValidationError extends ServiceError {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[], errorMessage: Partial<ErrorMessage> = {}) {
    const detail = errors.map((error) => `${error.field}: ${error.code}`).join(', ');
    super({ key: 'error.validation', detail, ...errorMessage });
    this.errors = errors;
  }
}

/** 400: the request can't be read at all (bad JSON, broken multipart). */
export class MalformedRequestError extends ServiceError {}

/** 404: unknown id, malformed id and somebody else's private item alike, so that nothing can be probed. */
export class NotFoundError extends ServiceError {
  constructor(errorMessage: Partial<ErrorMessage> = {}) {
    super({ key: 'error.notFound', ...errorMessage });
  }
}

/** 403: the caller is known and may not do this. */
export class ForbiddenError extends ServiceError {}

/** 403 with an exception name of its own: a limit of the caller's license is reached. */
export class QuotaExceededError extends ServiceError {
  readonly limit: 'STORAGE' | 'FILE_SIZE' | 'UPLOAD_COUNT';

  constructor(limit: 'STORAGE' | 'FILE_SIZE' | 'UPLOAD_COUNT', errorMessage: ErrorMessage) {
    super(errorMessage);
    this.limit = limit;
  }
}

/** 409: something still uses the item, or the name is taken. */
export class ConflictError extends ServiceError {}

/** 402: payment is needed, where no `result` member could say so. */
export class PaymentRequiredError extends ServiceError {}

/** 413: more bytes than any upload may have. */
export class TooLargeError extends ServiceError {}

/** 416: no byte of the asked range exists. */
export class RangeNotSatisfiableError extends ServiceError {
  readonly totalBytes: number;

  constructor(totalBytes: number) {
    super({ key: 'error.range' });
    this.totalBytes = totalBytes;
  }
}

/** 429 with `Retry-After`. */
export class TooManyRequestsError extends ServiceError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number, errorMessage: Partial<ErrorMessage> = {}) {
    super({ key: 'error.tooManyRequests', values: { retryAfterSeconds }, ...errorMessage });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 503: a part this request cannot do without is away; the caller may try again. */
export class UnavailableError extends ServiceError {}
