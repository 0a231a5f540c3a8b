import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { rateLimit } from 'express-rate-limit';
import type { Context } from '../../shared/platform/context.js';
import { ForbiddenError, TooManyRequestsError } from '../../shared/platform/errors.js';
import { isOperator } from '../../shared/platform/security/operatorCredentials.js';
import { UnauthorizedError } from '../http/httpErrors.js';

const windowSeconds = 60;

/**
 * Lets operators pass. Wrong guesses of an address are counted, and after too many in a minute not even a right one is
 * looked at. A browser sends the credentials along with whatever page asks for it, so what changes state must come
 * from a page of ours.
 */
export function operatorGate(ctx: Context): readonly RequestHandler[] {
  const gate = gates.get(ctx) ?? createGate(ctx);
  gates.set(ctx, gate);
  return gate;
}

/** The same gate inside a route's handler: rejects with what it refuses. */
export async function passOperatorGate(ctx: Context, response: Response): Promise<void> {
  for (const step of operatorGate(ctx)) {
    await new Promise<void>((resolve, reject) => {
      const next = (error?: unknown): void => (error ? reject(error) : resolve());
      Promise.resolve(step(response.req, response, next)).catch(reject);
    });
  }
}

/** One for each context: guesses are counted together, wherever they are made. */
const gates = new WeakMap<Context, readonly RequestHandler[]>();

function createGate({ config }: Context): readonly RequestHandler[] {
  const guesses = rateLimit({
    windowMs: windowSeconds * 1_000,
    limit: config.http.guardedCallsPerMinute,
    skipSuccessfulRequests: true,
    requestWasSuccessful: (_request, response) => response.statusCode !== 401,
    standardHeaders: false,
    legacyHeaders: false,
    handler: (_request, _response, next) => next(new TooManyRequestsError(windowSeconds)),
  });
  const known: RequestHandler = (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    if (!isOperator(config, request.headers.authorization)) throw new UnauthorizedError('operators');
    const { method, headers } = request;
    if (
      method !== 'GET' &&
      method !== 'HEAD' &&
      !isFromOurPages(headers, [new URL(config.service.publicUrl).host, request.headers.host])
    ) {
      throw new ForbiddenError({
        key: 'error.forbidden',
        detail: `cross-site ${method} from ${headers.origin ?? 'unknown'}`,
      });
    }
    next();
  };
  return [guesses, known];
}

/** Browsers say where a request comes from; a caller that says nothing is no browser, so nobody has lured it. */
export function isFromOurPages(headers: IncomingHttpHeaders, ourHosts: readonly (string | undefined)[]): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (headers.origin === undefined) return true;
  return URL.canParse(headers.origin) && ourHosts.includes(new URL(headers.origin).host);
}
