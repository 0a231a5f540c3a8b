import { isIP } from 'node:net';
import type { Schema } from 'joi';
import type { ServerTraits } from '../../../shared/streaming/externalPublication.service.js';
import type { RequestOf } from '../../http/route.js';
import type { IntegrationParams } from '../integration.schemas.js';

/** The query of a hook's address, which the operator writes into the configuration of the streaming server. */
export interface HookQuery {
  /** Tells several servers of one kind apart: the ids of their connections are unique within one of them only. */
  readonly server?: string;
  /** MediaMTX reports the end of a publication by a command, whose address has these. */
  readonly event?: string;
  readonly id?: string;
  readonly path?: string;
}

export type HookRequest = RequestOf<IntegrationParams, HookQuery, Buffer>;

/** A connection of an encoder to a streaming server, and what it publishes. */
export interface HookConnection {
  /** The server's own id of the connection. */
  readonly connectionId: string;
  /** Name of the application; empty where the server has none. */
  readonly app: string;
  readonly streamPath: string;
}

/** What an encoder or a viewer has sent; empty texts where it has sent nothing. */
export interface HookCredentials {
  readonly userCode: string;
  readonly livePassword: string;
}

/** What a server reports, whatever its own form. */
export type HookEvent =
  | ({ readonly type: 'publish' | 'update'; readonly clientAddress: string | null } & HookConnection & HookCredentials)
  | ({ readonly type: 'end' } & HookConnection)
  | ({ readonly type: 'play'; readonly streamPath: string; readonly token: string } & HookCredentials)
  /** Nothing to decide. */
  | { readonly type: 'other' }
  /** The client has sent what no encoder sends. */
  | { readonly type: 'forged'; readonly reason: string };

/** A kind of streaming server: the form of its hooks, and of their responses. */
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

/** An address as a server reports it; null for what is none. */
export function reportedAddress(text: string | undefined): string | null {
  return text !== undefined && isIP(text) > 0 ? text : null;
}
