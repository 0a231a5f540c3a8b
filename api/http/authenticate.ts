import type { Request, RequestHandler } from 'express';
import type { Context } from '../../shared/platform/context.js';
import { sameSecret } from '../../shared/platform/security/passwords.js';
import { findAccess } from '../../shared/oauth/access.service.js';
import { findClient } from '../../shared/oauth/clients.js';
import { OAuthError } from '../../shared/oauth/oauth.errors.js';
import { limitCalls } from '../../shared/platform/throttle/throttle.js';
import { addressSubject } from '../../shared/platform/throttle/subject.js';
import { UnauthorizedError } from './httpErrors.js';
import { accessOf, isTokenRequest } from './access.js';
import type { Principal } from './route.js';

const anonymous: Principal = { userId: null, userCode: null, clientId: '' };
const principals = new WeakMap<Request, Principal>();

/** The caller of a request that has passed `authenticate`. */
export function principalOf(request: Request): Principal {
  return principals.get(request) ?? anonymous;
}

/**
 * Authenticates a request as `accessOf` of its path requires, before the body is read and before the route is looked up.
 * Throws OAuthError and UnauthorizedError: `docs/contract.md#errors`.
 */
export function authenticate(ctx: Context): RequestHandler {
  return async (request, _response, next) => {
    principals.set(request, await identify(ctx, request));
    next();
  };
}

async function identify(ctx: Context, request: Request): Promise<Principal> {
  const access = accessOf(request.path);
  if (access === 'open') return anonymous;
  if (access === 'client') return identifyClient(ctx, request);
  if (access === 'integration') return identifyIntegration(ctx, request);
  const token = accessTokenOf(request);
  if (token === undefined)
    throw new OAuthError('unauthorized', 'Full authentication is required to access this resource');
  const { clientId, userId, userCode } = await findAccess(ctx, token);
  if (access === 'user' && userId === null) throw new OAuthError('access_denied', 'Access is denied');
  return { clientId, userId, userCode };
}

/**
 * The token of the header or, if the header is Basic, an empty Bearer or missing, of the query
 * (`docs/contract.md#choices-requests`). Throws OAuthError for an empty Bearer without a token in the query.
 */
function accessTokenOf(request: Request): string | undefined {
  const header = request.headers.authorization ?? '';
  const bearer = /^Bearer(?= |$)/i.test(header) ? header.slice('Bearer'.length).trim() : undefined;
  if (bearer) return bearer.includes(' ') ? undefined : bearer;
  if (header !== '' && bearer === undefined && !/^Basic\b/i.test(header)) return undefined;
  const inQuery = request.query['access_token'];
  if (typeof inQuery === 'string' && inQuery !== '') return inQuery;
  if (bearer === '') throw new OAuthError('invalid_token', 'Invalid access token (empty)');
  return undefined;
}

/** A token request without Basic credentials may have them in its form: the route then calls `requireClient`. */
async function identifyClient(ctx: Context, request: Request): Promise<Principal> {
  const hasBasic = /^Basic\b/i.test(request.headers.authorization ?? '');
  if (!hasBasic && isTokenRequest(request)) return anonymous;
  const clientId = await requireClient(ctx, basicCredentials(request), request.ip ?? '');
  return { userId: null, userCode: null, clientId };
}

/** Id of the client with these credentials. Throws OAuthError, and TooManyRequestsError after too many wrong credentials. */
export async function requireClient(
  ctx: Context,
  credentials: Credentials | undefined,
  remoteAddress: string,
): Promise<string> {
  if (credentials) {
    const decoded = { name: formDecoded(credentials.name), secret: formDecoded(credentials.secret) };
    const client = findClient(ctx.config, credentials) ?? findClient(ctx.config, decoded);
    if (client) return client.id;
    await countFailure(ctx, 'client', remoteAddress);
  }
  throw new OAuthError('bad_client', 'Bad credentials');
}

async function identifyIntegration(ctx: Context, request: Request): Promise<Principal> {
  const { integration } = ctx.config;
  const credentials = basicCredentials(request);
  if (credentials && integration && isSame(credentials, integration.user, integration.password))
    return { userId: null, userCode: null, clientId: integration.user };
  if (credentials) await countFailure(ctx, 'integration', request.ip ?? '');
  const isToken = /^Bearer\b/i.test(request.headers.authorization ?? '');
  throw new UnauthorizedError('integration', isToken ? 'error.basicNeeded' : 'error.unauthorized');
}

/**
 * Wrong credentials are counted by address, across all processes, and rejected with 429 beyond the limit. Correct ones are
 * always accepted: these secrets are too long to guess, and otherwise an attacker could lock out a client with the same
 * address.
 */
function countFailure(ctx: Context, kind: 'client' | 'integration', remoteAddress: string): Promise<void> {
  return limitCalls(ctx, [addressSubject(kind, remoteAddress)]);
}

interface Credentials {
  readonly name: string;
  readonly secret: string;
}

/** OAuth libraries form-encode id and secret before they build the Basic header: RFC 6749, section 2.3.1. */
function formDecoded(text: string): string {
  return new URLSearchParams(`text=${text.replaceAll('&', '%26')}`).get('text') ?? '';
}

/** Both comparisons always run, so that the time does not depend on which of them fails. */
function isSame(credentials: Credentials, name: string, secret: string): boolean {
  const isNameCorrect = sameSecret(credentials.name, name);
  const isSecretCorrect = sameSecret(credentials.secret, secret);
  return isNameCorrect && isSecretCorrect;
}

function basicCredentials(request: Request): Credentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { name: text.slice(0, colon), secret: text.slice(colon + 1) };
}
