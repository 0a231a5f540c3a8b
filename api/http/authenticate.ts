import type { Request, RequestHandler } from 'express';
import type { Context } from '../../shared/platform/context.js';
import { sameSecret } from '../../shared/platform/security/passwords.js';
import { findAccess } from '../../shared/oauth/access.service.js';
import { OAuthError } from '../../shared/oauth/oauth.errors.js';
import { assertNotThrottled, countFailure, loginSubjects } from '../../shared/oauth/throttle.js';
import { UnauthorizedError } from './httpErrors.js';
import { accessOf, type Principal } from './route.js';

const nobody: Principal = { userId: null, userCode: null, clientId: '' };
const principals = new WeakMap<Request, Principal>();

/** Who the pipeline has found the caller to be. */
export function principalOf(request: Request): Principal {
  return principals.get(request) ?? nobody;
}

/**
 * Lets a request pass by what its path asks for (principle 1 of docs/architecture.md), before a byte of its body is taken and before
 * anybody has looked whether the path exists. Refuses as `docs/contract.md#errors` says.
 */
export function authenticate(ctx: Context): RequestHandler {
  return async (request, _response, next) => {
    principals.set(request, await identify(ctx, request));
    next();
  };
}

async function identify(ctx: Context, request: Request): Promise<Principal> {
  const access = accessOf(request.path);
  if (access === 'open') return nobody;
  if (access === 'basic')
    return request.path.startsWith('/oauth/') ? identifyClient(ctx, request) : identifyIntegration(ctx, request);
  const token = accessTokenOf(request);
  if (token === undefined)
    throw new OAuthError('unauthorized', 'Full authentication is required to access this resource');
  const { clientId, userId, userCode } = await findAccess(ctx, token);
  if (access === 'user' && userId === null) throw new OAuthError('access_denied', 'Access is denied');
  return { clientId, userId, userCode };
}

/** From the header, or, where that is Basic or missing, from the query (`docs/contract.md#choices-requests`). */
function accessTokenOf(request: Request): string | undefined {
  const header = request.headers.authorization;
  const bearer = /^Bearer +(\S+) *$/i.exec(header ?? '');
  if (bearer) return bearer[1];
  if (header !== undefined && !/^Basic\b/i.test(header)) return undefined;
  const inQuery = request.query['access_token'];
  return typeof inQuery === 'string' && inQuery !== '' ? inQuery : undefined;
}

async function identifyClient(ctx: Context, request: Request): Promise<Principal> {
  const { clientId, clientSecret } = ctx.config.oauth;
  if (await hasCredentials(ctx, request, clientId, clientSecret)) return { userId: null, userCode: null, clientId };
  throw new OAuthError('bad_client', 'Bad credentials');
}

async function identifyIntegration(ctx: Context, request: Request): Promise<Principal> {
  const { user, password } = ctx.config.integration;
  if (await hasCredentials(ctx, request, user, password)) return { userId: null, userCode: null, clientId: user };
  throw new UnauthorizedError('integration');
}

/** Wrong guesses of an address are counted, over all processes; after too many not even a right one is looked at. */
async function hasCredentials(ctx: Context, request: Request, name: string, secret: string): Promise<boolean> {
  const given = basicCredentials(request);
  if (!given) return false;
  const subjects = loginSubjects(ctx, { remoteAddress: request.ip ?? '' });
  await assertNotThrottled(ctx, subjects);
  const rightName = sameSecret(given.name, name);
  const rightSecret = sameSecret(given.secret, secret);
  if (rightName && rightSecret) return true;
  await countFailure(ctx, subjects);
  return false;
}

function basicCredentials(request: Request): { name: string; secret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { name: text.slice(0, colon), secret: text.slice(colon + 1) };
}
