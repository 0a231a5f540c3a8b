import { Router, type Request, type Response } from 'express';
import type { ObjectSchema } from 'joi';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError, ValidationError } from '../../shared/platform/errors.js';
import { acceptedLanguage } from '../../shared/platform/i18n.js';
import { isStorable, normalizeBody, validate } from '../../shared/platform/validate.js';
import { principalOf } from './authenticate.js';
import { MethodNotAllowedError } from './httpErrors.js';
import { bodyReader, readForm, readJson } from './readBody.js';
import { accessOf, type RequestOf, type Route, type UploadForm } from './route.js';
import { sendJson } from './sendJson.js';
import { offsetOf } from './timezone.js';
import { receiveUpload } from './upload.js';

type AnyRequest = RequestOf<unknown, unknown, unknown>;
type BodyReader = ReturnType<typeof bodyReader>;

/** Every route of the table on one router; what none of them answers is 405 or 404. */
export function mount(ctx: Context, routes: readonly Route[]): Router {
  // Paths are matched with case, so that the prefix which decides who may call is the prefix that was matched.
  const router = Router({ caseSensitive: true, strict: false });
  const read = bodyReader(ctx.config.http.jsonLimitBytes);
  for (const route of routes) {
    router[route.method](route.path, async (request, response) => {
      response.locals['route'] = route.path;
      if (accessOf(request.path) !== accessOf(route.path)) throw new NotFoundError({ detail: 'path and route disagree on access' });
      await answer(ctx, route, read, request, response);
    });
  }
  refuseOtherMethods(router, routes);
  router.use(() => {
    throw new NotFoundError({ detail: 'no such route' });
  });
  return router;
}

async function answer(ctx: Context, route: Route, read: BodyReader, request: Request, response: Response): Promise<void> {
  if (accessOf(route.path) !== 'open') response.setHeader('Cache-Control', 'no-store');
  const base = await requestOf(ctx, route, request, response);
  if (route.upload) return receive(route, route.upload, { ...base, body: {} }, request, response);
  const body = route.method === 'post' ? await readBody(ctx, route, read, request, response) : {};
  finish(route, response, await route.handle({ ...base, body } as never));
}

/** An upload whose text parts or handler are refused leaves nothing behind. */
async function receive(route: Route, upload: UploadForm, base: AnyRequest, request: Request, response: Response): Promise<void> {
  const { fields, undo } = await receiveUpload(upload, base, request, response);
  let result: unknown;
  try {
    const { [upload.part]: file, ...texts } = fields;
    const sent = Object.assign(normalizeBody(texts) as object, file === undefined ? {} : { [upload.part]: file });
    const body = route.body ? validate(route.body, sent, base.ctx) : sent;
    result = await route.handle({ ...base, body } as never);
  } catch (error) {
    await undo();
    throw error;
  }
  finish(route, response, result);
}

function finish(route: Route, response: Response, body: unknown): void {
  if (response.headersSent || response.writableEnded) return;
  if (route.answers) return sendJson(response, route.status, body);
  response.status(route.status).end();
}

async function requestOf(ctx: Context, route: Route, request: Request, response: Response): Promise<Omit<AnyRequest, 'body'>> {
  const principal = principalOf(request);
  return {
    ctx,
    log: request.log,
    principal,
    userId: principal.userId ?? '',
    params: readParams(ctx, route, request),
    query: readQuery(ctx, route, request),
    language: acceptedLanguage(request.headers['accept-language']),
    offsetMs: offsetOf(request.headers[`x-${ctx.config.service.name.toLowerCase()}-timezone`], ctx.config.service.defaultOffsetMs),
    headers: request.headers,
    signal: goneSignal(response),
    response,
    remoteAddress: request.ip ?? '',
  };
}

/** A path whose id cannot be one names nothing: 404, as an unknown id. */
function readParams(ctx: Context, route: Route, request: Request): unknown {
  const params = { ...request.params };
  if (Object.values(params).some((value) => typeof value === 'string' && !isStorable(value))) throw new NotFoundError();
  try {
    return checked(ctx, route.params, params);
  } catch (error) {
    if (error instanceof ValidationError) throw new NotFoundError({ detail: error.message });
    throw error;
  }
}

function readQuery(ctx: Context, route: Route, request: Request): unknown {
  const { access_token: _token, ...query } = request.query;
  return checked(ctx, route.query, normalizeBody({ ...query }));
}

function checked(ctx: Context, schema: ObjectSchema | undefined, value: unknown): unknown {
  return schema ? validate(schema, value, ctx) : value;
}

async function readBody(ctx: Context, route: Route, read: BodyReader, request: Request, response: Response): Promise<unknown> {
  const isForm = route.path.startsWith('/oauth/');
  const body = isForm ? await readForm(read, request, response) : await readJson(read, request, response);
  return route.body ? validate(route.body, body, ctx) : {};
}

/** Aborted when the connection ends before the answer does. */
function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

function refuseOtherMethods(router: Router, routes: readonly Route[]): void {
  const methods = new Map<string, string[]>();
  for (const { path, method } of routes) {
    const known = methods.get(path) ?? [];
    methods.set(path, [...known, ...(method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])]);
  }
  for (const [path, allowed] of methods) {
    router.all(path, (_request, response, next) => {
      const others: string[] = response.locals['allow'] ?? [];
      response.locals['allow'] = [...new Set([...others, ...allowed])];
      next();
    });
  }
  router.use((request, response, next) => {
    if (response.locals['allow']) throw new MethodNotAllowedError(request.method, [...response.locals['allow'], 'OPTIONS']);
    next();
  });
}
