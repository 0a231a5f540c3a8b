import type { Readable } from 'node:stream';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { ObjectSchema, Schema } from 'joi';
import type { ProcessContext } from '../../shared/platform/processContext.js';
import type { TimeZone } from '../../shared/platform/formats/timeZone.js';
import type { Language } from '../../shared/platform/i18n.js';
import type { Logger } from '../../shared/platform/log.js';
import { accessOf } from './access.js';

/** The caller, as the access token or the credentials name it. */
export interface Principal {
  /** Null for public tokens and Basic credentials. */
  readonly userId: string | null;
  readonly userCode: string | null;
  readonly clientId: string;
}

/** A request as its handler gets it: validated, with coerced values. */
export interface RequestOf<Params, Query, Body> {
  readonly ctx: ProcessContext;
  readonly log: Logger;
  readonly principal: Principal;
  /**
   * Id of the calling user, or of the user whom `uploaderOf` names. On paths with access `user` there always is one; elsewhere
   * it may be empty.
   */
  readonly userId: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly language: Language;
  /** Language and region of prices, dates and times that people read: `de-CH` (`regionalFormat.ts`). */
  readonly locale: string;
  /** Of dates and times in the request and its response. */
  readonly zone: TimeZone;
  readonly headers: IncomingHttpHeaders;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** For routes whose response is not JSON (bytes, pages, events); they declare `response: null`. */
  readonly response: Response;
  /** Address of the caller, as the configured number of proxies reports it. */
  readonly remoteAddress: string;
  /** Whose share of what all callers use a request takes: the user, and without one the network of the address. */
  readonly caller: string;
}

/** A request as a route gets it that is served before Express. */
export interface DirectRequest {
  readonly ctx: ProcessContext;
  readonly response: ServerResponse;
}

/** The multipart form of an upload route, parsed by `api/http/upload`. */
export interface UploadForm {
  /** Name of the file part. */
  readonly part: string;
  /** Stores the part while it arrives. The handler gets the result as `body[part]`. */
  readonly store: (request: RequestOf<unknown, unknown, unknown>, file: UploadedPart) => Promise<object>;
  /** Id of the user whose upload it is, where that is not the caller. Runs first. */
  readonly uploaderOf?: (request: RequestOf<unknown, unknown, unknown>) => Promise<string>;
  /** Runs before the body is read: rejects the request, or reserves quota. */
  readonly before?: (request: RequestOf<unknown, unknown, unknown>) => Promise<unknown>;
  /** Undoes `store` and `before` when anything after them fails. */
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

/** An endpoint as a value. `mount` serves it, `openapi` describes it. Its path decides who may call it (`accessOf`). */
export interface Route {
  readonly method: 'get' | 'head' | 'post' | 'patch' | 'delete';
  /** Express style: `/api/box/:boxId`; without the base path. */
  readonly path: string;
  readonly status: number;
  /** Names the operation in generated clients, so it never changes: `createBoxItem`. */
  readonly operationId: string;
  /** A short title. */
  readonly summary: string;
  /** What a caller must know beyond the title; Markdown. */
  readonly description: string;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  /** Of a JSON body, a form, or the text parts of an upload. */
  readonly body?: ObjectSchema;
  readonly upload?: UploadForm;
  /** The header `X-<name>-progressbarId` is read. */
  readonly hasProgress?: true;
  /** Runs before the body is read: rejects the request, or responds to it. */
  readonly beforeBody?: (request: RequestOf<never, never, never>) => Promise<void>;
  /**
   * How a body is read that is not JSON: `form`, `raw` for a Buffer (webhook signatures cover the exact bytes), or `stream`: the
   * handler reads it from the request while it arrives.
   */
  readonly reads?: 'form' | 'raw' | 'stream';
  /** Headers that belong to this operation, with what they mean. */
  readonly headers?: {
    readonly request: Readonly<Record<string, string>>;
    readonly response: Readonly<Record<string, string>>;
  };
  /** A GET that changes something, as a mailed token is used up. HEAD, which must not, is 405. */
  readonly changesState?: true;
  /**
   * A public read that may be answered by the replica: its handler reads through `ctx.db` and `ctx.search`, and through no cache
   * that others share.
   */
  readonly readsReplica?: true;
  /**
   * The handler responds with 429 beyond a limit of calls or failures. Routes with Basic
   * credentials and routes that read a body with access `open` all do. Tests find a route that consults a limit and does not say so.
   */
  readonly isLimited?: true;
  /** Errors of the handler that do not follow from the other members; `errorsOf` derives the rest. Tests check both. */
  readonly errors?: readonly ErrorStatus[];
  /** Schema of the JSON body of `status`; null where the response has no body or another one. */
  readonly response: Schema | null;
  /** Content types of responses that are not JSON, by status; an empty list: no body. */
  readonly otherResponses?: Readonly<Record<number, readonly string[]>>;
  /**
   * Serves GET and HEAD before Express, because viewers send most requests there (`docs/bench.md`). The path begins with fixed
   * text and has access `open`; no token, parameter or body is read.
   */
  readonly direct?: (request: DirectRequest) => Promise<void>;
  /** Resolves with the body of the response. */
  readonly handle: (request: RequestOf<never, never, never>) => Promise<unknown>;
}

/** Routes that belong together, under the title that they have at `/docs`. */
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
 * Operations that take a user's token below `/api` and any token below `/api/public`: the beginnings of their paths, of what names
 * them, and the end of their titles.
 */
export const callers = [
  { base: '/api', named: '', suffix: '' },
  { base: '/api/public', named: 'Public', suffix: ' with any token' },
] as const;

/** Whether the body is read as a form: all bodies of the token endpoint are. */
export function isForm(route: Pick<Route, 'path' | 'reads'>): boolean {
  return route.reads === 'form' || accessOf(route.path) === 'client';
}
