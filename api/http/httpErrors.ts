import { ServiceError } from '../../shared/platform/errors.js';

/** 405: the path exists for other methods only. */
export class MethodNotAllowedError extends ServiceError {
  readonly allow: readonly string[];

  constructor(method: string, allow: readonly string[]) {
    super({ key: 'error.methodNotAllowed', values: { method } });
    this.allow = allow;
  }
}

/** 415: a body of a type that the route does not read (unknown content encoding, a form instead of JSON). */
export class UnsupportedMediaTypeError extends ServiceError {
  constructor(detail: string) {
    super({ key: 'error.unsupportedMediaType', detail });
  }
}

/** 401 with an error body of the general form: wrong integration or operator credentials. */
export class UnauthorizedError extends ServiceError {
  readonly realm: string;

  constructor(realm: string) {
    super({ key: 'error.unauthorized' });
    this.realm = realm;
  }
}

/** 401: a streaming server has presented a playback token that is invalid or has expired. The message names the token. */
export class InvalidTokenError extends ServiceError {
  constructor(token: string) {
    super({ key: 'error.invalidToken', values: { token: token.slice(0, 100) } });
  }
}
