import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../api/app.js';
import { createHttpServer } from '../../api/http/httpServer.js';
import type { Route } from '../../api/http/route.js';
import { routes } from '../../api/routes.js';
import type { ProcessContext } from '../../shared/platform/processContext.js';
import { issuePublicTokens, issueUserTokens } from '../../shared/oauth/token.service.js';
import { findUserByCode } from '../../shared/user/user.queries.js';
import { beginRequest, watchLimits, assertDocumented, observeResponse, noteStatus } from './responseCheck.js';
import { createLoggedInUser, type TestUser } from './users.js';
import { expect } from 'chai';
import type { Context } from '../../shared/platform/context.js';

export type { TestUser } from './users.js';

/** A running service, with a client that checks every response against the declaration of its route. */
export interface TestApi {
  readonly ctx: ProcessContext;
  /** Base URL including the base path, without a trailing slash. */
  readonly url: string;
  /** Sends a request; every 2xx response is checked against `route.status` and `route.response`. */
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  close(): Promise<void>;
}

export interface CallOptions {
  /** Access token, sent as a bearer token. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string is sent unchanged, a FormData as a multipart form. */
  readonly body?: unknown;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body of a JSON response, otherwise undefined. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any member; the route's schema checks the form
  readonly body: any;
  readonly text: string;
}

/** Starts the app of a context on a free loopback port. */
export async function startApi(ctx: ProcessContext, port = 0): Promise<TestApi> {
  const server = createHttpServer(ctx, createApp(ctx));
  watchLimits(ctx);
  // Checks the responses to any client: `call` does not read downloads, images and event streams.
  server.prependListener('request', (request, response) => {
    const { basePath } = ctx.config.service;
    const { url = '', method = '' } = request;
    const route = url.startsWith(basePath) ? routeOf(method, url.slice(basePath.length)) : undefined;
    beginRequest(route);
    observeResponse(route, response);
    response.once('close', () => noteStatus(route, response.statusCode));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...apiAt(ctx, origin),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The same client for a service in another process that uses the database of `ctx`. Closing it stops nothing. */
export function apiAt(ctx: ProcessContext, origin: string): TestApi {
  const url = `${origin}${ctx.config.service.basePath}`;
  return { ctx, url, call: (method, path, options = {}) => call(url, method, path, options), close: async () => {} };
}

async function call(base: string, method: string, path: string, options: CallOptions): Promise<TestResponse> {
  const { body } = options;
  const isJson = body !== undefined && typeof body !== 'string' && !(body instanceof FormData);
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(isJson ? { 'content-type': 'application/json' } : {}),
      ...options.headers,
    },
    body: body === undefined ? null : isJson ? JSON.stringify(body) : body,
    redirect: 'manual',
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  const result = {
    status: response.status,
    headers: response.headers,
    body: json ? JSON.parse(text) : undefined,
    text,
  };
  const route = routeOf(method, path);
  // Responses of other processes are visible only here.
  noteStatus(route, result.status);
  assertDocumented(route, { ...result, type: result.headers.get('content-type') });
  assertAsDeclared(route, result);
  return result;
}

/** Throws if a 2xx response differs from its route's declaration: status, content type, and body without coercion. */
function assertAsDeclared(
  route: Route | undefined,
  result: Pick<TestResponse, 'status' | 'headers' | 'body' | 'text'>,
): void {
  if (!route || result.status < 200 || result.status > 299) return;
  const where = `${route.method.toUpperCase()} ${route.path}`;
  if (route.response === null) {
    if (result.status === 204 && result.text !== '') throw new Error(`${where} responded with 204 and a body`);
    return;
  }
  if (result.status !== route.status)
    throw new Error(`${where} responded ${result.status}, declared is ${route.status}`);
  const type = result.headers.get('content-type');
  if (type !== 'application/json;charset=UTF-8') throw new Error(`${where} responded with the type ${type}`);
  const { error } = route.response.validate(result.body, { abortEarly: false, convert: false });
  if (error) throw new Error(`${where} responded with an undeclared body: ${error.message}\n${result.text}`);
}

const patterns = routes.map((route) => {
  const pattern = route.path.replace(/\/:[A-Za-z]+/g, '/[^/]+').replace(/\/\*[A-Za-z]+/g, '/.+');
  return { route, pattern: new RegExp(`^${pattern}$`) };
});

/** The route of a request: literal paths match before paths with parameters, as in the router. */
function routeOf(method: string, path: string): Route | undefined {
  const asked = (path.split('?', 1)[0] ?? '').replace(/(.)\/$/, '$1');
  return patterns.find(({ route, pattern }) => route.method === method.toLowerCase() && pattern.test(asked))?.route;
}

/** A valid registration; each call describes another user. */
export function registration(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const userCode = `user${randomBytes(5).toString('hex')}`;
  return {
    userCode,
    password: 'correct horse',
    passwordConfirm: 'correct horse',
    firstName: 'Ada',
    lastName: 'Lovelace',
    birthDate: '10/12/1985',
    email: `${userCode}@example.org`,
    language: 'en',
    conditionsAccepted: true,
    ...overrides,
  };
}

/** Creates and logs in a user. With an activation URL, it registers through the API, which only that test case needs. */
export async function registerUser(api: TestApi, overrides: Readonly<Record<string, unknown>> = {}): Promise<TestUser> {
  if (!('activationUrl' in overrides)) return createLoggedInUser(api.ctx, overrides);
  const body = registration(overrides);
  const { status, text } = await api.call('POST', '/api/public/user/register', { token: await publicToken(api), body });
  if (status !== 201) throw new Error(`registration responded ${status}: ${text}`);
  const { userCode, password } = body as { userCode: string; password: string };
  const user = await findUserByCode(api.ctx, userCode);
  if (!user) throw new Error('the registered user does not exist');
  const { id: userId, passwordHash } = user;
  const tokens = await issueUserTokens(api.ctx, { clientId: api.ctx.config.oauth.clients[0].id, userId, passwordHash });
  if (!tokens?.refresh_token) throw new Error('the registered user got no tokens');
  return { userCode, password, userId, token: tokens.access_token, refreshToken: tokens.refresh_token };
}

/** An access token for public paths. */
export async function publicToken(api: TestApi): Promise<string> {
  return (await issuePublicTokens(api.ctx, api.ctx.config.oauth.clients[0].id)).access_token;
}

/** The Authorization header of the configured client, or with other credentials. */
export function basic(
  api: TestApi,
  name = api.ctx.config.oauth.clients[0].id,
  secret = api.ctx.config.oauth.clients[0].secret,
): string {
  return `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
}

/** Calls the token endpoint. */
export function askToken(
  api: TestApi,
  form: Readonly<Record<string, string>>,
  authorization = basic(api),
): Promise<TestResponse> {
  return api.call('POST', '/oauth/token', {
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
}

/** The body of a response, which must have this status. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read any member
export function bodyOf(expected: number, { status, text, body }: TestResponse): any {
  expect(status, text).to.equal(expected);
  return body;
}

/** The fields that a 400 response rejects, in order, with their codes. */
export function rejectedFields(response: TestResponse): string[] {
  return bodyOf(400, response).errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);
}

/** The statuses of concurrent responses, lowest first. */
export function statusesOf(responses: readonly TestResponse[]): number[] {
  return responses.map(({ status }) => status).toSorted((a, b) => a - b);
}

/** `docs/contract.md#errors`: headers of every token and every OAuth error. */
export function expectOAuthHeaders({ headers }: TestResponse): void {
  expect(headers.get('cache-control')).to.equal('no-store');
  expect(headers.get('pragma')).to.equal('no-cache');
  expect(headers.get('x-frame-options')).to.equal('DENY');
  expect(headers.get('x-content-type-options')).to.equal('nosniff');
  expect(headers.get('x-xss-protection')).to.equal('1; mode=block');
  expect(headers.get('content-type')).to.equal('application/json;charset=UTF-8');
}

/** Sets the fields that a user needs to sell (`docs/contract.md#choices-users`). */
export async function makeSeller(ctx: Context, userId: string): Promise<void> {
  await ctx.db.change(
    `UPDATE users SET paypal_email = email, tax_code = 'LVLDAA85T50H501X',
            billing_address = '{"country": "IT", "city": "Roma", "street": "Via Appia 1", "zipCode": "00179", "state": "RM"}'
      WHERE id = $userId`,
    { userId },
  );
}

/** Creates a user who meets the seller requirements. */
export async function registerSeller(api: TestApi, overrides: Record<string, unknown> = {}): Promise<TestUser> {
  const user = await registerUser(api, overrides);
  await makeSeller(api.ctx, user.userId);
  return user;
}

/** The headers that a streaming server sends. */
export function integrationHeaders(api: TestApi): { readonly authorization: string } {
  const { user, password } = api.ctx.config.integration!;
  return { authorization: basic(api, user, password) };
}
