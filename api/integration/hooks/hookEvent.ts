import { isIP } from 'node:net';
import type { Schema } from 'joi';
import type { ServerTraits } from '../../../shared/streaming/externalPublication.service.js';
import type { RequestOf } from '../../http/route.js';
import type { IntegrationParams } from '../integration.schemas.js';

/** The query of a hook's URL, which the operator configures in the streaming server. */
export interface HookQuery {
  /** Distinguishes several servers of one kind, because connection ids are unique only within one server. */
  readonly server?: string;
  /** MediaMTX reports the end of a publication with a command, whose URL has these parameters. */
  readonly event?: string;
  readonly id?: string;
  readonly path?: string;
}

export type HookRequest = RequestOf<IntegrationParams, HookQuery, Buffer>;

/** An encoder's connection to a streaming server, and the stream that it publishes. */
export interface HookConnection {
  /** The server's id of the connection. */
  readonly connectionId: string;
  /** Name of the application; empty if the server has none. */
  readonly app: string;
  readonly streamPath: string;
}

/** Credentials of an encoder or a viewer; empty if not sent. */
export interface HookCredentials {
  readonly userCode: string;
  readonly livePassword: string;
}

/** A hook, independent of the server's format. */
export type HookEvent =
  | ({ readonly type: 'publish' | 'update'; readonly clientAddress: string | null } & HookConnection & HookCredentials)
  | ({ readonly type: 'end' } & HookConnection)
  | ({ readonly type: 'play'; readonly streamPath: string; readonly token: string } & HookCredentials)
  /** Needs no decision. */
  | { readonly type: 'other' }
  /** The client tried to replace the server's fields. */
  | { readonly type: 'forged'; readonly reason: string };

/** A kind of streaming server: the format of its hooks and of their responses. */
export interface StreamingServer {
  /** The last segment of the hook's path. */
  readonly name: string;
  readonly traits: ServerTraits;
  /** Verifies the signature of a server that signs its hooks. Throws UnauthorizedError. */
  readonly verify?: (request: HookRequest) => Promise<void>;
  /** Throws MalformedRequestError. */
  readonly readEvent: (body: Buffer, query: HookQuery) => HookEvent;
  readonly response: Schema | null;
  readonly rejectedStatus: 401 | 403 | null;
  /** The body of the response. Throws the error of `rejectedStatus`. */
  readonly respond: (isAllowed: boolean, event: HookEvent) => unknown;
}

/** An IP address as reported by a server; null if it is malformed. */
export function reportedAddress(text: string | undefined): string | null {
  return text !== undefined && isIP(text) > 0 ? text : null;
}
