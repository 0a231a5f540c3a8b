import type { Request, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import type { Context } from '../../shared/platform/context.js';
import { ForbiddenError, TooManyRequestsError } from '../../shared/platform/errors.js';
import { isOperator } from '../../shared/platform/security/operatorCredentials.js';
import { UnauthorizedError } from '../http/httpErrors.js';
import { isSameSite } from '../http/sameSite.js';

const windowSeconds = 60;

/**
 * Resolves where the caller is an operator. Throws UnauthorizedError for wrong credentials, TooManyRequestsError after
 * too many wrong ones from one address in a minute, whatever the next ones are, and ForbiddenError for a change that a
 * page of another site requests: browsers send Basic credentials along with every request.
 */
export type OperatorGate = (request: Request, response: Response) => Promise<void>;

/** Failures are counted in this process, so that operators can read its metrics while the database is down. */
export function createOperatorGate({ config }: Context): OperatorGate {
  const limitFailures = rateLimit({
    windowMs: windowSeconds * 1_000,
    limit: config.http.guardedCallsPerMinute,
    ipv6Subnet: 64,
    skipSuccessfulRequests: true,
    requestWasSuccessful: (_request, response) => response.statusCode !== 401,
    standardHeaders: false,
    legacyHeaders: false,
    handler: (_request, _response, next) => next(new TooManyRequestsError(windowSeconds)),
  });
  return async (request, response) => {
    await new Promise<void>((resolve, reject) => {
      const next = (error?: unknown): void => (error ? reject(error) : resolve());
      Promise.resolve(limitFailures(request, response, next)).catch(reject);
    });
    response.setHeader('Cache-Control', 'no-store');
    if (!isOperator(config, request.headers.authorization)) throw new UnauthorizedError('operators');
    const { method, headers } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead && !isSameSite(headers, [new URL(config.service.publicUrl).host, headers.host]))
      throw new ForbiddenError({
        key: 'error.forbidden',
        detail: `cross-site ${method} from ${headers.origin ?? 'unknown'}`,
      });
  };
}
