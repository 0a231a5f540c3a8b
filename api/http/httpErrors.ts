import type { Config } from '../../shared/platform/config.js';
import { ServiceError } from '../../shared/platform/errors.js';

/** 404: no operation has the path. Unlike an unknown id, this is a mistake in the client's code. */
export class UnknownPathError extends ServiceError {
  constructor({ service }: Config) {
    super({ key: 'error.unknownPath', values: { docs: `${service.publicUrl}/docs` } });
  }
}

/** 405: the path exists for other methods only. */
export class MethodNotAllowedError extends ServiceError {
  readonly allow: readonly string[];

  constructor(method: string, allow: readonly string[]) {
    super({ key: 'error.methodNotAllowed', values: { method, allow: allow.join(', ') } });
    this.allow = allow;
  }
}

/** 415: the route does not read bodies of this type (unknown content encoding, a form instead of JSON). */
export class UnsupportedMediaTypeError extends ServiceError {}

/**
 * 401 with the general error body: wrong integration or operator credentials. `key` is the key of the message, which may name
 * the credentials that were sent instead.
 */
export class UnauthorizedError extends ServiceError {
  readonly realm: string;

  constructor(realm: string, key = 'error.unauthorized') {
    super({ key, values: { realm } });
    this.realm = realm;
  }
}

/** 401: a streaming server has presented a playback token that is invalid or has expired. The message names the token. */
export class InvalidTokenError extends ServiceError {
  constructor(token: string) {
    super({ key: 'error.invalidToken', values: { token: token.slice(0, 100) } });
  }
}

/** 501: a part of a protocol that the service does not implement. */
export class NotImplementedError extends ServiceError {}

/** 460 (tus): the bytes of a request do not match its checksum. */
export class ChecksumMismatchError extends ServiceError {
  constructor() {
    super({ key: 'tus.checksumMismatch' });
  }
}
