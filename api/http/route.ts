import type { Readable } from 'node:stream';
import type { IncomingHttpHeaders } from 'node:http';
import type { Response } from 'express';
import type { ObjectSchema, Schema } from 'joi';
import type { Context } from '../../shared/platform/context.js';
import type { Language } from '../../shared/platform/i18n.js';
import type { Logger } from '../../shared/platform/log.js';

/** Who calls. A public token has no user. */
export interface Principal {
  /** User id; on public paths null where the token is a public one. */
  readonly userId: string | null;
  readonly userCode: string | null;
  readonly clientId: string;
}

/** What every handler knows of a request, already validated and coerced. */
export interface RequestOf<Params, Query, Body> {
  readonly ctx: Context;
  readonly log: Logger;
  readonly principal: Principal;
  /** The calling user's id on private paths, where the pipeline has made sure there is one. */
  readonly userId: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly language: Language;
  /** Milliseconds to add to UTC for the caller's local time. */
  readonly offsetMs: number;
  readonly headers: IncomingHttpHeaders;
  /** The caller went away. */
  readonly signal: AbortSignal;
  /** For the routes that answer with bytes or events instead of JSON; these declare `response: null`. */
  readonly response: Response;
  /** Address of the caller, behind the configured proxies. */
  readonly remoteAddress: string;
}

/** The multipart form of an upload route, parsed by `api/http/upload`. */
export interface UploadForm {
  /** Name of the file part. */
  readonly part: string;
  /** Stores the part while it streams; what it resolves with becomes the handler's `body[part]`. */
  readonly store: (request: RequestOf<unknown, unknown, unknown>, file: UploadedPart) => Promise<object>;
  /** Runs before a byte of the body is taken: refuses, or reserves. */
  readonly before?: (request: RequestOf<unknown, unknown, unknown>) => Promise<unknown>;
  /** Undoes `store` and `before` when anything later fails: aborted, malformed, refused. */
  readonly undo: (
    request: RequestOf<unknown, unknown, unknown>,
    stored: object | undefined,
    reserved: unknown,
  ) => Promise<void>;
  readonly maximumBytes: (ctx: Context) => number;
}

export interface UploadedPart {
  readonly fileName: string;
  readonly mimeType: string;
  readonly stream: Readable;
  /** What `before` resolved with. */
  readonly reserved: unknown;
}

/** An endpoint is a value (principle 1 of docs/architecture.md). Who may call is read off the path by `accessOf`, never declared. */
export interface Route {
  readonly method: 'get' | 'post' | 'delete';
  /** Express style: `/api/box/:boxId`; without the base path. */
  readonly path: string;
  readonly status: number;
  readonly summary: string;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  /** JSON, form, or the text parts of an upload. */
  readonly body?: ObjectSchema;
  readonly upload?: UploadForm;
  /**
   * How a body is read that is not JSON: as the members of a form, or not at all, as the bytes that were sent (a Buffer,
   * for signatures). Token requests are forms without saying so.
   */
  readonly reads?: 'form' | 'raw';
  /** Its handler counts calls or failures, and answers 429 beyond a limit. Token requests do without saying so. */
  readonly isLimited?: true;
  /** Schema of the body of `status`; null where there is none, or it is no JSON. */
  readonly response: Schema | null;
  /** Types that the body of `status` can have in place of JSON, where the caller asks for them. */
  readonly otherResponses?: readonly string[];
  /** What the handler resolves with is the body. */
  readonly handle: (request: RequestOf<never, never, never>) => Promise<unknown>;
}

/** Declares a route; the handler's types come from the schemas. */
export function defineRoute<
  Params = Record<string, never>,
  Query = Record<string, never>,
  Body = Record<string, never>,
>(
  route: Omit<Route, 'params' | 'query' | 'body' | 'handle'> & {
    readonly params?: ObjectSchema<Params>;
    readonly query?: ObjectSchema<Query>;
    readonly body?: ObjectSchema<Body>;
    readonly handle: (request: RequestOf<Params, Query, Body>) => Promise<unknown>;
  },
): Route {
  return route;
}

/** `public`: any token. `user`: a user's token. `basic`: client or integration credentials. `open`: nobody is asked. */
export type Access = 'public' | 'user' | 'basic' | 'open';

/** Who may call a path: `docs/contract.md#authentication`. Everything outside the four contract prefixes is open and says why. */
export function accessOf(path: string): Access {
  if (path.startsWith('/api/public/')) return 'public';
  if (path.startsWith('/api/')) return 'user';
  if (path.startsWith('/oauth/') || path.startsWith('/rest/')) return 'basic';
  return 'open';
}
