import type { Refusal } from './decisions.js';
import type { ServerMessage } from './rtmpMessage.js';

/** The connection, as the session sees it. */
export interface Peer {
  readonly remoteAddress: string;
  /** False after `dismiss`, and when the connection is closed. */
  readonly isOpen: boolean;
  send(messages: readonly ServerMessage[]): void;
  /** Sends the last messages, discards further input of the peer, and destroys the connection soon. */
  dismiss(messages: readonly ServerMessage[]): void;
  /** Reports a refusal, for log and metrics. `err` is an error of the caller's decisions. */
  onRefused(refusal: Omit<Refusal, 'remoteAddress'>, err?: unknown): void;
  /** The publication has ended: the connection must not stay open. */
  onEnd(): void;
}
