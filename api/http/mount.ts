import type { IncomingHttpHeaders } from 'node:http';
import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { ObjectSchema } from 'joi';
import { sharedConcurrency } from '../../shared/platform/sharedConcurrency.js';
import { concurrency } from '../../shared/platform/concurrency.js';
import type { ProcessContext } from '../../shared/platform/processContext.js';
import { NotFoundError, ValidationError } from '../../shared/platform/errors.js';
import type { Language } from '../../shared/platform/i18n.js';
import type { Logger } from '../../shared/platform/log.js';
import { defaultZone, type TimeZone } from '../../shared/platform/formats/timeZone.js';
import { networkOf } from '../../shared/platform/formats/network.js';
import { Tunable } from '../../shared/platform/tunable.js';
import { isStorable, normalizeBody, validate } from '../../shared/platform/validation.js';
import { accessOf } from './access.js';
import { principalOf } from './authenticate.js';
import { disconnectSignal } from './disconnectSignal.js';
import { languageOfRequest, localeOfRequest } from './requestLanguage.js';
import { MethodNotAllowedError, UnknownPathError } from './httpErrors.js';
import { bodyReader, readForm, readJson } from './readBody.js';
import { loggerOf } from './requestLog.js';
import { measureAs } from './requestMetrics.js';
import { isForm, type Principal, type RequestOf, type Route, type UploadForm } from './route.js';
import { routeTable } from './routeTable.js';
import { sendJson } from './sendJson.js';
import { zoneOf } from './timezone.js';
import { receiveUpload } from './formUpload.js';

type AnyRequest = RequestOf<unknown, unknown, unknown>;
type BodyReaders = ReturnType<typeof bodyReaders>;

/** Enough for a full day of programs and for the longest list of the contract. */
const jsonLimitBytes = 1024 ** 2;
/** Forms are short: a user code, a password, a token. */
const formLimitBytes = 64 * 1024;
/** Bodies that one address may send at a time to paths without a token. */
const openBodiesWithoutToken = 50;
/** Bodies other than uploads must arrive within this time. */
export const bodyTimeoutSeconds = new Tunable(30);
/** Uploads that one user may send at a time. */
const uploadsOfUser = 20;

/**
 * A router with every route. A request that matches none gets 405 if the path has another method, else 404.
 */
export function mount(ctx: ProcessContext, routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true });
  const readers = bodyReaders(ctx);
  const entries = routes.map((route) => ({ ...route, handle: handlerOf(ctx, route, readers) }));
  const tables = {
    get: routeTable('get', entries),
    head: routeTable('head', entries),
    post: routeTable('post', entries),
    patch: routeTable('patch', entries),
    delete: routeTable('delete', entries),
  };
  router.use((request, response, next) => {
    const method = request.method.toLowerCase();
    if (!Object.hasOwn(tables, method)) return next();
    // Every GET route also answers HEAD; a route may be for HEAD only.
    const ofGet: NextFunction = (error) => (error ? next(error) : tables.get(request, response, next));
    tables[method as Route['method']](request, response, method === 'head' ? ofGet : next);
  });
  rejectOtherMethods(router, routes);
  router.use(() => {
    throw new UnknownPathError(ctx.config);
  });
  return router;
}

function handlerOf(ctx: ProcessContext, route: Route, readers: BodyReaders): RequestHandler {
  const access = accessOf(route.path);
  return async (request, response, next) => {
    if (route.changesState && request.method === 'HEAD') return next();
    measureAs(response, route.path);
    if (accessOf(request.path) !== access) throw new UnknownPathError(ctx.config);
    await respond(ctx, route, readers, request, response);
  };
}

async function respond(
  ctx: ProcessContext,
  route: Route,
  readers: BodyReaders,
  request: Request,
  response: Response,
): Promise<void> {
  if (accessOf(route.path) !== 'open') response.setHeader('Cache-Control', 'no-store');
  const call = new Call(ctx, route, request, response);
  if (route.readsReplica && ctx.replica && (await ctx.replica.hasWritesOf(call.caller))) call.ctx = ctx.replica.context;
  if (route.upload) return receive(route, route.upload, call, request, response);
  if (route.method === 'post' && route.reads !== 'stream') {
    await route.beforeBody?.(call as never);
    if (response.headersSent) return;
    call.body = await readBody(ctx, route, readers, request, response);
  }
  finish(route, response, await handled(route, call));
}

/**
 * Calls the handler, and then records a write of the caller, also if the handler has failed halfway. tus requests respond earlier,
 * which is harmless: public reads do not show their changes.
 */
async function handled(route: Route, call: Call): Promise<unknown> {
  try {
    return await route.handle(call as never);
  } finally {
    if (mayWrite(route)) await call.ctx.replica?.recordWrite(call.caller);
  }
}

/** Whether an authenticated request may change data that public reads show. */
function mayWrite({ method, path, changesState }: Route): boolean {
  if (!path.startsWith('/api/') || accessOf(path) === 'open') return false;
  const isRead = method === 'get' || method === 'head' || /^\/api\/(?:public\/)?search\//.test(path);
  return !isRead || changesState === true;
}

/** Undoes the upload if its text parts are rejected or the handler throws. */
async function receive(
  route: Route,
  upload: UploadForm,
  call: Call,
  request: Request,
  response: Response,
): Promise<void> {
  if (upload.uploaderOf) call.userId = await upload.uploaderOf(call);
  const received = await sharedConcurrency(call.ctx).enter(`upload:${call.userId}`, uploadsOfUser);
  const { fields, undo } = await receiveUpload(upload, call, request, response).finally(received);
  let result: unknown;
  try {
    const { [upload.part]: file, ...texts } = fields;
    const sent = Object.assign(normalizeBody(texts) as object, file === undefined ? {} : { [upload.part]: file });
    call.body = route.body ? validate(route.body, sent, call.ctx) : sent;
    result = await handled(route, call);
  } catch (error) {
    await undo();
    throw error;
  }
  finish(route, response, result);
}

function finish(route: Route, response: Response, body: unknown): void {
  if (response.headersSent || response.writableEnded) return;
  if (route.response) return sendJson(response, route.status, body);
  response.status(route.status).end();
}

/** A request as its handler receives it. Members that few handlers use are created on first use. */
class Call implements AnyRequest {
  ctx: ProcessContext;
  readonly principal: Principal;
  userId: string;
  readonly params: unknown;
  readonly query: unknown;
  body: unknown = {};
  readonly headers: IncomingHttpHeaders;
  readonly response: Response;
  readonly #request: Request;
  #signal: AbortSignal | undefined;
  #log: Logger | undefined;

  constructor(ctx: ProcessContext, route: Route, request: Request, response: Response) {
    this.ctx = ctx;
    this.principal = principalOf(request);
    this.userId = this.principal.userId ?? '';
    this.params = readParams(ctx, route, request);
    this.query = readQuery(ctx, route, request);
    this.headers = request.headers;
    this.response = response;
    this.#request = request;
  }

  get log(): Logger {
    return (this.#log ??= loggerOf(this.ctx.log, this.#request));
  }

  get language(): Language {
    return languageOfRequest(this.#request);
  }

  get locale(): string {
    return localeOfRequest(this.#request);
  }

  get zone(): TimeZone {
    const { config } = this.ctx;
    return zoneOf(this.headers[`x-${config.service.name.toLowerCase()}-timezone`], defaultZone(config));
  }

  get signal(): AbortSignal {
    return (this.#signal ??= disconnectSignal(this.response));
  }

  get remoteAddress(): string {
    return this.#request.ip ?? '';
  }

  get caller(): string {
    return this.principal.userId ?? networkOf(this.remoteAddress);
  }
}

/** Throws NotFoundError for a malformed id, as for an unknown one. */
function readParams(ctx: ProcessContext, route: Route, request: Request): unknown {
  const params = { ...request.params };
  if (Object.values(params).some((value) => typeof value === 'string' && !isStorable(value))) throw new NotFoundError();
  try {
    return checked(ctx, route.params, params);
  } catch (error) {
    if (error instanceof ValidationError) throw new NotFoundError({ detail: error.message });
    throw error;
  }
}

function readQuery(ctx: ProcessContext, route: Route, request: Request): unknown {
  const { access_token: _token, ...query } = request.query;
  return checked(ctx, route.query, normalizeBody({ ...query }));
}

function checked(ctx: ProcessContext, schema: ObjectSchema | undefined, value: unknown): unknown {
  return schema ? validate(schema, value, ctx) : value;
}

async function readBody(
  ctx: ProcessContext,
  route: Route,
  readers: BodyReaders,
  request: Request,
  response: Response,
): Promise<unknown> {
  // The caller is unknown on open paths, and if the form contains the client's credentials.
  const read =
    principalOf(request).clientId === ''
      ? concurrency(ctx).enter(`body@${networkOf(request.ip ?? '')}`, openBodiesWithoutToken)
      : () => {};
  try {
    if (route.reads === 'raw') return await readers.json(request, response);
    const body = isForm(route)
      ? await readForm(readers.form, request, response)
      : await readJson(readers.json, request, response);
    return route.body ? validate(route.body, body, ctx) : {};
  } finally {
    read();
  }
}

function bodyReaders({ config }: ProcessContext) {
  const timeoutSeconds = config.limit(bodyTimeoutSeconds);
  return {
    json: bodyReader({ bytes: jsonLimitBytes, timeoutSeconds }),
    form: bodyReader({ bytes: formLimitBytes, timeoutSeconds }),
  };
}

function rejectOtherMethods(router: Router, routes: readonly Route[]): void {
  const methods = new Map<string, string[]>();
  for (const { path, method, changesState } of routes) {
    const known = methods.get(path) ?? [];
    const allowsHead = method === 'get' && !changesState;
    methods.set(path, [...known, method.toUpperCase(), ...(allowsHead ? ['HEAD'] : [])]);
  }
  for (const [path, allowed] of methods) {
    router.all(path, (_request, response, next) => {
      const known: string[] = response.locals['allow'] ?? [];
      response.locals['allow'] = [...new Set([...known, ...allowed])];
      next();
    });
  }
  router.use((request, response, next) => {
    if (response.locals['allow'])
      throw new MethodNotAllowedError(request.method, [...response.locals['allow'], 'OPTIONS']);
    next();
  });
}
