import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  ConflictError,
  ForbiddenError,
  generalValidationKey,
  InsufficientStorageError,
  MalformedRequestError,
  NotFoundError,
  PaymentRequiredError,
  PreconditionFailedError,
  QuotaExceededError,
  RangeNotSatisfiableError,
  RequestTimeoutError,
  ServiceError,
  TooLargeError,
  TooManyRequestsError,
  UnavailableError,
  ValidationError,
  type ErrorValues,
  type QuotaLimit,
} from '../../shared/platform/errors.js';
import type { ProcessContext } from '../../shared/platform/processContext.js';
import type { Language } from '../../shared/platform/i18n.js';
import { OAuthError } from '../../shared/oauth/oauth.errors.js';
import { accessOf } from './access.js';
import { isAborted } from './disconnectSignal.js';
import { setOAuthHeaders } from './headers.js';
import { languageOfRequest } from './requestLanguage.js';
import {
  ChecksumMismatchError,
  NotImplementedError,
  InvalidTokenError,
  MethodNotAllowedError,
  UnauthorizedError,
  UnknownPathError,
  UnsupportedMediaTypeError,
} from './httpErrors.js';
import { isReadByPerson, sendErrorPage } from '../pages/errorPage.js';
import { neededToken, oauthResponses } from './oauthResponses.js';
import { requestTarget, loggerOf } from './requestLog.js';
import { sendJson } from './sendJson.js';
import { serviceErrorOf } from './serviceError.js';

type Headers = Readonly<Record<string, string>>;

/** Status, exception name and headers of an error: `docs/contract.md#choices-errors`. */
interface ErrorKind {
  readonly status: number;
  readonly exception: string;
  /** Reason phrase of a status that HTTP does not define. */
  readonly reason?: string;
  readonly headers?: Headers;
}

/** Member names come from the request and may be as long as its body. */
const maxNamedField = 200;

/** Limit of the rejected members in a response: a hostile body can have a hundred thousand. */
const maxFieldErrors = 100;

/** Pages reload later after a defect than after an outage, because most defects are permanent. */
const defectRetrySeconds = 30;

/** Not 401 or 403: after these, clients log in and send the file again. */
const quotaKinds: Readonly<Record<QuotaLimit, ErrorKind>> = {
  STORAGE: { status: 413, exception: 'StorageQuotaExceededException' },
  FILE_SIZE: { status: 413, exception: 'FileSizeQuotaExceededException' },
  UPLOAD_COUNT: { status: 409, exception: 'UploadCountQuotaExceededException' },
  MEDIA_MINUTES: { status: 409, exception: 'MediaMinutesQuotaExceededException' },
  WAITING_WORK: { status: 409, exception: 'WaitingWorkQuotaExceededException' },
};

/** The only mapping from error classes to HTTP. */
function kindOf(error: ServiceError): ErrorKind {
  if (error instanceof ValidationError) return { status: 400, exception: 'ValidationException' };
  if (error instanceof MalformedRequestError) return { status: 400, exception: 'MessageNotReadableException' };
  if (error instanceof UnauthorizedError) {
    return {
      status: 401,
      exception: 'UnauthorizedException',
      headers: { 'WWW-Authenticate': `Basic realm="${error.realm}"` },
    };
  }
  if (error instanceof InvalidTokenError) return { status: 401, exception: 'InvalidTokenException' };
  if (error instanceof PaymentRequiredError) return { status: 402, exception: 'PaymentRequiredException' };
  if (error instanceof QuotaExceededError) return quotaKinds[error.limit];
  if (error instanceof ForbiddenError) return { status: 403, exception: 'ForbiddenException' };
  if (error instanceof UnknownPathError) return { status: 404, exception: 'UnknownPathException' };
  if (error instanceof NotFoundError) return { status: 404, exception: 'NotFoundException' };
  if (error instanceof MethodNotAllowedError) {
    return { status: 405, exception: 'MethodNotAllowedException', headers: { Allow: error.allow.join(', ') } };
  }
  // Bytes that arrive later belong to no request.
  if (error instanceof RequestTimeoutError)
    return { status: 408, exception: 'RequestTimeoutException', headers: { Connection: 'close' } };
  if (error instanceof ConflictError) return { status: 409, exception: 'DataIntegrityViolationException' };
  if (error instanceof PreconditionFailedError) return { status: 412, exception: 'PreconditionFailedException' };
  if (error instanceof TooLargeError) return { status: 413, exception: 'PayloadTooLargeException' };
  if (error instanceof UnsupportedMediaTypeError) return { status: 415, exception: 'UnsupportedMediaTypeException' };
  if (error instanceof ChecksumMismatchError)
    return { status: 460, exception: 'ChecksumMismatchException', reason: 'Checksum Mismatch' };
  if (error instanceof RangeNotSatisfiableError) {
    return {
      status: 416,
      exception: 'RangeNotSatisfiableException',
      headers: { 'Content-Range': `bytes */${error.totalBytes}` },
    };
  }
  if (error instanceof TooManyRequestsError) {
    return {
      status: 429,
      exception: 'TooManyRequestsException',
      headers: { 'Retry-After': String(error.retryAfterSeconds) },
    };
  }
  if (error instanceof NotImplementedError) return { status: 501, exception: 'NotImplementedException' };
  if (error instanceof UnavailableError)
    return { status: 503, exception: 'UnavailableException', headers: { 'Retry-After': '5' } };
  if (error instanceof InsufficientStorageError)
    return { status: 507, exception: 'InsufficientStorageException', headers: { 'Retry-After': '300' } };
  return { status: 500, exception: 'InternalErrorException' };
}

function sendOAuthError(
  ctx: ProcessContext,
  error: OAuthError,
  path: string,
  language: Language,
  response: ServerResponse,
): void {
  const { status, challenge } = oauthResponses[error.kind];
  const { basePath } = ctx.config.service;
  setOAuthHeaders(response);
  const access = accessOf(path.slice(basePath.length));
  const needed = neededToken(error.kind, access);
  if (challenge) response.setHeader('WWW-Authenticate', challenge(error.description, access));
  const body =
    error.kind === 'bad_client'
      ? {
          timestamp: ctx.clock.now().toISOString().replace('Z', '+0000'),
          status,
          error: STATUS_CODES[status],
          message: error.description,
          path,
        }
      : {
          error: error.kind,
          error_description: error.description,
          ...(needed ? { message: messageOf(ctx, language, needed, { path: `${basePath}/oauth/token` }) } : {}),
        };
  sendJson(response, status, body);
}

function sendEnvelope(
  ctx: ProcessContext,
  error: ServiceError,
  { status, exception, reason = STATUS_CODES[status] }: ErrorKind,
  { path, language }: { readonly path: string; readonly language: Language },
  response: ServerResponse,
): void {
  response.setHeader('Cache-Control', 'no-store');
  const translate = (key: string, values?: ErrorValues) => messageOf(ctx, language, key, values);
  sendJson(response, status, {
    timestamp: ctx.clock.now().getTime(),
    status,
    error: reason,
    exception,
    message: translate(...publicMessageOf(error, translate)),
    path,
    ...(error.exceeded ? { limit: error.exceeded } : {}),
    ...(error instanceof ValidationError
      ? {
          errors: error.errors.slice(0, maxFieldErrors).map(({ field, code, key, values, rejectedValue }) => ({
            field,
            code,
            defaultMessage: translate(key, values),
            ...(rejectedValue === undefined ? {} : { rejectedValue }),
          })),
        }
      : {}),
  });
}

/** Messages that contain the name of the member. */
const fieldMessages: Readonly<Record<string, string>> = {
  'validation.required': 'error.requiredOf',
  'validation.blank': 'error.blankOf',
  'upload.required': 'upload.requiredOf',
};

/** Messages about the complete body. */
const bodyMessages: Readonly<Record<string, string>> = { 'validation.object': 'error.bodyNotObject' };

/**
 * The message of an error. A validation error without a message of its own names the field and the reason of the first failure,
 * because many clients show only the message: `docs/contract.md#choices-errors`.
 */
function publicMessageOf(
  error: ServiceError,
  translate: (key: string, values?: ErrorValues) => string,
): [string, ErrorValues?] {
  const [first] = error instanceof ValidationError && error.key === generalValidationKey ? error.errors : [];
  if (!first) return [error.key, error.values];
  if (first.field === '') return [bodyMessages[first.key] ?? first.key, first.values ?? {}];
  const field = first.field.slice(0, maxNamedField);
  const ownMessage = fieldMessages[first.key];
  return ownMessage
    ? [ownMessage, { field }]
    : ['error.validationOf', { field, reason: translate(first.key, first.values) }];
}

/** A missing message is a defect: it is logged, and the caller gets a general message. */
function messageOf(ctx: ProcessContext, language: Language, key: string, values: ErrorValues = {}): string {
  const texts = Object.entries(values).map(([name, value]): [string, string | number] => [
    name,
    typeof value === 'object'
      ? value.map((inserted) => messageOf(ctx, language, inserted.key, inserted.values)).join(' ')
      : value,
  ]);
  try {
    return ctx.translate(language, key, Object.fromEntries(texts));
  } catch (error) {
    ctx.log.error({ err: error, key }, 'message missing');
    return ctx.translate(language, 'error.internal');
  }
}

/** An unexpected error. Its details go to the log only. */
class InternalError extends ServiceError {}

/**
 * Sends every error response. Internal details go to the log. The caller gets a message in the requested language, never a
 * stack trace: programs as JSON, people as a page (`api/pages/errorPage.ts`).
 */
export function respondToError(
  ctx: ProcessContext,
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const service =
    error instanceof OAuthError
      ? undefined
      : (serviceErrorOf(ctx, error) ?? new InternalError({ key: 'error.internal', cause: error }));
  const log = loggerOf(ctx.log, request);
  // The caller has disconnected, so the request's statements were cancelled.
  if (isAborted(error) && response.destroyed) return log.debug('request aborted');
  const status = service ? kindOf(service).status : 400;
  if (status >= 500 && status !== 501) log.error({ err: error }, 'request failed');
  else log.debug({ error: (error as Error).name, detail: (error as Error).message }, 'client error');
  // The headers are sent, or the caller has disconnected: there is no other way to report the error.
  if (response.headersSent || response.destroyed) return void response.destroy();
  // Without the query, which may contain a token.
  const [path = ''] = requestTarget(request).split('?', 1);
  for (const name of ['Content-Length', 'Content-Disposition', 'ETag', 'Last-Modified', 'Accept-Ranges'])
    response.removeHeader(name);
  if (error instanceof OAuthError) sendOAuthError(ctx, error, path, languageOfRequest(request), response);
  else if (service) sendServiceError(ctx, service, path, request, response);
}

/** The path of a request without the base path. Framed pages are also served without it. */
function belowBase({ config }: ProcessContext, path: string): string {
  const { basePath } = config.service;
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
}

function sendServiceError(
  ctx: ProcessContext,
  error: ServiceError,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const language = languageOfRequest(request);
  const kind = kindOf(error);
  setHeaders(response, kind.headers ?? {});
  const pathBelowBase = belowBase(ctx, path);
  if (!isReadByPerson(request, pathBelowBase)) return sendEnvelope(ctx, error, kind, { path, language }, response);
  const translate = (key: string, values?: ErrorValues) => messageOf(ctx, language, key, values);
  sendErrorPage(ctx, request, response, pathBelowBase, {
    status: kind.status,
    message: translate(...publicMessageOf(error, translate)),
    retryAfterSeconds: retryAfterOf(kind),
  });
}

/** Seconds after which a browser repeats the request; null: never, because the same request fails again. */
function retryAfterOf({ status, headers }: ErrorKind): number | null {
  if (headers?.['Retry-After'] !== undefined) return Number(headers['Retry-After']);
  return status === 500 ? defectRetrySeconds : null;
}

function setHeaders(response: ServerResponse, headers: Headers): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
