/** What one server gives to its peers. A peer that exceeds a limit loses its connection. */
export interface RtmpLimits {
  /** Open connections of all addresses. */
  readonly connections: number;
  /** Open connections of one address; of one /64 network for IPv6. */
  readonly connectionsPerAddress: number;
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
  connections: 200,
  connectionsPerAddress: 20,
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

/** Counts the open connections, in total and for each address. */
export class ConnectionCounter {
  readonly #byAddress = new Map<string, number>();
  #total = 0;

  constructor(private readonly limits: Pick<RtmpLimits, 'connections' | 'connectionsPerAddress'>) {}

  get total(): number {
    return this.#total;
  }

  /** Counts a connection and returns the function that releases it; null where a limit is reached. */
  open(remoteAddress: string): (() => void) | null {
    const key = networkOf(remoteAddress);
    const count = this.#byAddress.get(key) ?? 0;
    if (this.#total >= this.limits.connections || count >= this.limits.connectionsPerAddress) return null;
    this.#total += 1;
    this.#byAddress.set(key, count + 1);
    return () => {
      this.#total -= 1;
      const left = (this.#byAddress.get(key) ?? 1) - 1;
      if (left > 0) this.#byAddress.set(key, left);
      else this.#byAddress.delete(key);
    };
  }
}

/** An IPv4 address as it is; the /64 network of an IPv6 address, because one subscriber has all of its addresses. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1] as string;
  if (!address.includes(':')) return address;
  const [left = '', right] = (address.split('%')[0] as string).split('::');
  const start = left === '' ? [] : left.split(':');
  const end = right === undefined || right === '' ? [] : right.split(':');
  const zeros = right === undefined ? 0 : Math.max(0, 8 - start.length - end.length);
  const groups = [...start, ...Array.from({ length: zeros }, () => '0'), ...end];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
