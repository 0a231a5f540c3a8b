import type { StartLimits } from './startRate.js';

/** The limits of one server. A peer that exceeds a limit loses its connection, unless the limit makes it wait. */
export interface RtmpLimits {
  /** Maximum of connections that do not publish yet, of all addresses. A further connection replaces the oldest. */
  readonly pendingConnections: number;
  /** The same for one address, or for one /64 network of IPv6. */
  readonly pendingConnectionsPerAddress: number;
  /** Rate at which connections of one address begin. Further connections wait. */
  readonly startsPerAddress: StartLimits;
  /** The same for all addresses together. */
  readonly starts: StartLimits;
  /** Time from the connection to the accepted publish, including the caller's decision and the TLS handshake. */
  readonly publishDeadlineMs: number;
  /** Maximum time without audio and video while publishing. */
  readonly idleMs: number;
  /** How long the reader of the FLV stream may leave a full buffer unread. */
  readonly slowReaderMs: number;
  /** How long a refused connection stays open, so that the peer can read the reason. Its input is discarded. */
  readonly lingerMs: number;
  /** Maximum bytes received before the publish is accepted. */
  readonly bytesBeforePublish: number;
  /** Maximum size of an audio, video or aggregate message, and of all incomplete messages of a connection together. */
  readonly messageBytes: number;
  /** Maximum size of any other message: commands and metadata. */
  readonly commandBytes: number;
  /** Rate of one connection; a faster one has to wait. An encoder sends about 100 messages per second. */
  readonly messagesPerSecond: number;
  /** Rate of one connection; a faster one has to wait. */
  readonly bytesPerSecond: number;
  /** Maximum of chunk streams of a connection. */
  readonly chunkStreams: number;
  /** FLV bytes that may wait for their reader. At this size the socket is paused, and the encoder has to wait. */
  readonly bufferedBytes: number;
}

export const defaultRtmpLimits: RtmpLimits = {
  pendingConnections: 256,
  pendingConnectionsPerAddress: 64,
  startsPerAddress: { atOnce: 90, perSecond: 30 },
  starts: { atOnce: 300, perSecond: 300 },
  publishDeadlineMs: 10_000,
  idleMs: 10_000,
  slowReaderMs: 10_000,
  lingerMs: 500,
  bytesBeforePublish: 64 * 1024,
  messageBytes: 4 * 1024 ** 2,
  commandBytes: 64 * 1024,
  messagesPerSecond: 2000,
  bytesPerSecond: 6_250_000,
  chunkStreams: 16,
  bufferedBytes: 4 * 1024 ** 2,
};
