import type { Request, Response } from 'express';
import type { Context } from '../../shared/platform/context.js';
import { ForbiddenError } from '../../shared/platform/errors.js';
import { createOperatorGuard } from '../../shared/platform/security/operatorGuard.js';
import { UnauthorizedError } from '../http/httpErrors.js';
import { isSameSite } from '../http/sameSite.js';

/**
 * Returns if the caller is an operator. Throws UnauthorizedError for wrong credentials, TooManyRequestsError for too many wrong
 * credentials (`OperatorGuard`), and ForbiddenError for a change requested by a page of another site, because browsers send Basic
 * credentials with every request.
 */
export type OperatorGate = (request: Request, response: Response) => void;

export function createOperatorGate(ctx: Context): OperatorGate {
  const isOperator = createOperatorGuard(ctx);
  const { host } = new URL(ctx.config.service.publicUrl);
  return ({ method, headers, ip }, response) => {
    response.setHeader('Cache-Control', 'no-store');
    if (!isOperator(headers.authorization, ip)) throw new UnauthorizedError('operators');
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead && !isSameSite(headers, [host, headers.host]))
      throw new ForbiddenError({
        key: 'error.forbidden',
        detail: `cross-site ${method} from ${headers.origin ?? 'unknown'}`,
      });
  };
}
