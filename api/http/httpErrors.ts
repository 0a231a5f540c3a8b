import { ServiceError } from '../../shared/platform/errors.js';

/** 405: the path exists, for other methods. */
export class MethodNotAllowedError extends ServiceError {
  readonly allow: readonly string[];

  constructor(method: string, allow: readonly string[]) {
    super({ key: 'error.methodNotAllowed', values: { method } });
    this.allow = allow;
  }
}

/** 415: a body that no route of this kind reads (a content coding we do not know, a form where JSON belongs). */
export class UnsupportedMediaTypeError extends ServiceError {
  constructor(detail: string) {
    super({ key: 'error.unsupportedMediaType', detail });
  }
}

/** 401 in the envelope: wrong integration credentials. */
export class UnauthorizedError extends ServiceError {
  readonly realm: string;

  constructor(realm: string) {
    super({ key: 'error.unauthorized' });
    this.realm = realm;
  }
}
