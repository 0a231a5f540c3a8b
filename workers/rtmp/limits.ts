import type { StartLimits } from './startRate.js';

/** What one server gives to its peers. A peer that exceeds a limit loses its connection. */
export interface RtmpLimits {
  /** Connections of all addresses that do not publish yet. For another one the oldest ends. */
  readonly pendingConnections: number;
  /** The same of one address; of one /64 network for IPv6. */
  readonly pendingConnectionsPerAddress: number;
  /** How fast connections of one address begin. What comes faster waits for its turn. */
  readonly startsPerAddress: StartLimits;
  /** The same of all addresses. */
  readonly starts: StartLimits;
  /** From the connection to the accepted publish, with the time of the caller's decision. Also for the TLS handshake. */
  readonly publishDeadlineMs: number;
  /** Without audio and video while the stream is published. */
  readonly idleMs: number;
  /** How long the reader of the FLV stream may leave a full buffer untouched. */
  readonly slowReaderMs: number;
  /** How long a refused connection may stay open, so that the peer can read the reason. What it sends is dropped. */
  readonly lingerMs: number;
  /** Bytes of the peer until its publish is accepted. */
  readonly bytesBeforePublish: number;
  /** One audio, video or aggregate message; also all messages of a connection that are received in part, together. */
  readonly messageBytes: number;
  /** One message of any other type: commands and metadata. */
  readonly commandBytes: number;
  /** Of one connection. What is faster has to wait; an encoder sends about 100 messages in a second. */
  readonly messagesPerSecond: number;
  /** Of one connection. What is faster has to wait. */
  readonly bytesPerSecond: number;
  /** Chunk streams of a connection. */
  readonly chunkStreams: number;
  /** FLV bytes that wait for their reader. At this size the socket is paused, and the encoder has to wait. */
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
