import type { Readable } from 'node:stream';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { ObjectSchema, Schema } from 'joi';
import type { ProcessContext } from '../../shared/platform/processContext.js';
import type { TimeZone } from '../../shared/platform/formats/timeZone.js';
import type { Language } from '../../shared/platform/i18n.js';
import type { Logger } from '../../shared/platform/log.js';
import { accessOf } from './access.js';

/** The caller, identified by the access token or the credentials. */
export interface Principal {
  /** Null for public tokens and Basic credentials. */
  readonly userId: string | null;
  readonly userCode: string | null;
  readonly clientId: string;
}

/** A request as its handler receives it: validated, with coerced values. */
export interface RequestOf<Params, Query, Body> {
  readonly ctx: ProcessContext;
  readonly log: Logger;
  readonly principal: Principal;
  /**
   * Id of the calling user, or of the user that `uploaderOf` returns. Never empty on paths with access `user`; elsewhere it may be
   * empty.
   */
  readonly userId: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly language: Language;
  /** Language and region for formatted prices, dates and times: `de-CH` (`regionalFormat.ts`). */
  readonly locale: string;
  /** Time zone of dates and times in the request and its response. */
  readonly zone: TimeZone;
  readonly headers: IncomingHttpHeaders;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** For routes whose response is not JSON (bytes, pages, events); they declare `response: null`. */
  readonly response: Response;
  /** Address of the caller, as reported by the configured number of proxies. */
  readonly remoteAddress: string;
  /** Key of the caller in fair queues and limits: the user, or the network of the address if there is no user. */
  readonly caller: string;
}

/** A request that is served before Express. */
export interface DirectRequest {
  readonly ctx: ProcessContext;
  readonly response: ServerResponse;
}

/** The multipart form of an upload route, parsed by `api/http/formUpload.ts`. */
export interface UploadForm {
  /** Name of the file part. */
  readonly part: string;
  /** Stores the part while it arrives. The handler receives the result as `body[part]`. */
  readonly store: (request: RequestOf<unknown, unknown, unknown>, file: UploadedPart) => Promise<object>;
  /** Runs first. Resolves with the id of the uploading user, if that is not the caller. */
  readonly uploaderOf?: (request: RequestOf<unknown, unknown, unknown>) => Promise<string>;
  /** Runs before the body is read: rejects the request, or reserves quota. */
  readonly before?: (request: RequestOf<unknown, unknown, unknown>) => Promise<unknown>;
  /** Undoes `store` and `before` if a later step fails. */
  readonly undo: (
    request: RequestOf<unknown, unknown, unknown>,
    stored: object | undefined,
    reserved: unknown,
  ) => Promise<void>;
  readonly maxBytes: (ctx: ProcessContext) => number;
}

export interface UploadedPart {
  readonly fileName: string;
  readonly mimeType: string;
  readonly stream: Readable;
  /** Result of `before`. */
  readonly reserved: unknown;
}

/** Statuses of errors with a JSON body: `docs/contract.md#errors`. */
export type ErrorStatus =
  | 400
  | 401
  | 402
  | 403
  | 404
  | 408
  | 409
  | 412
  | 413
  | 415
  | 416
  | 429
  | 460
  | 500
  | 501
  | 503
  | 507;

/** An endpoint as a value: `mount` serves it, `openapi` describes it. The path decides who may call it (`accessOf`). */
export interface Route {
  readonly method: 'get' | 'head' | 'post' | 'patch' | 'delete';
  /** Express style: `/api/box/:boxId`; without the base path. */
  readonly path: string;
  readonly status: number;
  /** Name of the operation in generated clients, such as `createBoxItem`. Never changes. */
  readonly operationId: string;
  /** A short title. */
  readonly summary: string;
  /** In Markdown: everything that callers must know in addition to the title. */
  readonly description: string;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  /** Schema of a JSON body, a form, or the text parts of an upload. */
  readonly body?: ObjectSchema;
  readonly upload?: UploadForm;
  /** The route reads the header `X-<name>-progressbarId`. */
  readonly hasProgress?: true;
  /** Runs before the body is read: rejects the request, or responds to it. */
  readonly beforeBody?: (request: RequestOf<never, never, never>) => Promise<void>;
  /**
   * How a body other than JSON is read: `form`; `raw` for a Buffer (webhook signatures cover the exact bytes); `stream`: the
   * handler reads it from the request while it arrives.
   */
  readonly reads?: 'form' | 'raw' | 'stream';
  /** Headers of this operation, with their descriptions. */
  readonly headers?: {
    readonly request: Readonly<Record<string, string>>;
    readonly response: Readonly<Record<string, string>>;
  };
  /** A GET that changes state, for example uses up a mailed token. HEAD must not change state: it is 405. */
  readonly changesState?: true;
  /**
   * A public read that the replica may answer: its handler reads through `ctx.db` and `ctx.search`, and never through a shared
   * cache.
   */
  readonly readsReplica?: true;
  /**
   * The handler responds with 429 beyond a limit of calls or failures. Implied for routes with Basic credentials and for routes
   * with access `open` that read a body. A test fails for a route that consults a limit and does not declare it.
   */
  readonly isLimited?: true;
  /** Errors of the handler that do not follow from the other members; `errorsOf` derives the rest. Tests check both. */
  readonly errors?: readonly ErrorStatus[];
  /** Schema of the JSON body of `status`; null if the response has no body, or a body of another type. */
  readonly response: Schema | null;
  /** Content types of responses other than JSON, by status; an empty list means no body. */
  readonly otherResponses?: Readonly<Record<number, readonly string[]>>;
  /**
   * Serves GET and HEAD before Express, for the paths with most requests (`docs/bench.md`). The path starts with fixed text and has
   * access `open`; no token, parameter or body is read.
   */
  readonly direct?: (request: DirectRequest) => Promise<void>;
  /** Resolves with the body of the response. */
  readonly handle: (request: RequestOf<never, never, never>) => Promise<unknown>;
}

/** A group of routes, with its title at `/docs`. */
export interface RouteGroup {
  readonly title: string;
  readonly description: string;
  readonly routes: readonly Route[];
}

/** Declares a route; the handler's types come from the schemas. */
export function defineRoute<
  Params = Record<string, never>,
  Query = Record<string, never>,
  Body = Record<string, never>,
>(
  route: Omit<Route, 'params' | 'query' | 'body' | 'beforeBody' | 'handle'> & {
    readonly params?: ObjectSchema<Params>;
    readonly query?: ObjectSchema<Query>;
    readonly body?: ObjectSchema<Body>;
    readonly beforeBody?: (request: RequestOf<Params, Query, unknown>) => Promise<void>;
    readonly handle: (request: RequestOf<Params, Query, Body>) => Promise<unknown>;
  },
): Route {
  return route;
}

/**
 * For operations that exist twice, with a user's token below `/api` and with any token below `/api/public`: the prefix of their
 * paths, the prefix of their names, and the suffix of their titles.
 */
export const callers = [
  { base: '/api', named: '', suffix: '' },
  { base: '/api/public', named: 'Public', suffix: ' with any token' },
] as const;

/** Whether the body is read as a form: all bodies of the token endpoint are. */
export function isForm(route: Pick<Route, 'path' | 'reads'>): boolean {
  return route.reads === 'form' || accessOf(route.path) === 'client';
}
