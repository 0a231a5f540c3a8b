import { RtmpProtocolError } from './protocolError.js';

/** The state of one chunk stream: the message header that later chunks refer to, and the message in progress. */
export interface ChunkStream {
  /** Timestamp of the message in progress, or of the last one; 32 bits. */
  timestamp: number;
  /** The last timestamp field: a type 3 chunk that starts a message adds it again. */
  timestampField: number;
  hasExtendedTimestamp: boolean;
  length: number;
  type: number;
  streamId: number;
  message: MessageBuffer | null;
}

/** A complete chunk header. */
export interface ChunkHeader {
  /** Bytes of the header. */
  readonly size: number;
  readonly chunkStreamId: number;
  /** Chunk type, 0 to 3: the present part of the message header (RTMP specification, 5.3.1.2). */
  readonly format: number;
  readonly timestampField: number;
  readonly hasExtendedTimestamp: boolean;
  readonly length: number;
  readonly type: number;
  readonly streamId: number;
}

const messageHeaderBytes = [11, 7, 3, 0] as const;
const extendedMark = 0xffffff;

/** Bytes of the longest chunk header: basic header, message header, extended timestamp. */
export const maxChunkHeader = 3 + 11 + 4;

/**
 * Reads the chunk header at `at`; null if bytes are missing. Omitted fields are those of the chunk stream.
 *
 * Type 3 chunks after an extended timestamp repeat it, but some encoders leave it out: four bytes other than the timestamp are
 * payload.
 */
export function readChunkHeader(
  bytes: Buffer,
  at: number,
  streams: ReadonlyMap<number, ChunkStream>,
): ChunkHeader | null {
  const basic = readBasicHeader(bytes, at);
  if (!basic) return null;
  const { chunkStreamId, format } = basic;
  const start = at + basic.size;
  const size = messageHeaderBytes[format] as number;
  if (start + size > bytes.length) return null;
  const known = streams.get(chunkStreamId);
  // librtmp starts its ping stream with type 1.
  if (!known && format > 1) throw new RtmpProtocolError('a chunk continues an unknown chunk stream');
  const header = {
    chunkStreamId,
    format,
    timestampField: format < 3 ? bytes.readUIntBE(start, 3) : (known?.timestampField ?? 0),
    length: format < 2 ? bytes.readUIntBE(start + 3, 3) : (known?.length ?? 0),
    type: format < 2 ? (bytes[start + 6] as number) : (known?.type ?? 0),
    streamId: format < 1 ? bytes.readUInt32LE(start + 7) : (known?.streamId ?? 0),
  };
  const end = start + size;
  if (format === 3) return continuation(bytes, at, end, header, known?.hasExtendedTimestamp === true);
  if (header.timestampField !== extendedMark) return { ...header, hasExtendedTimestamp: false, size: end - at };
  if (end + 4 > bytes.length) return null;
  return { ...header, timestampField: bytes.readUInt32BE(end), hasExtendedTimestamp: true, size: end + 4 - at };
}

function readBasicHeader(bytes: Buffer, at: number): { size: number; chunkStreamId: number; format: number } | null {
  const first = bytes[at];
  if (first === undefined) return null;
  const format = first >> 6;
  const short = first & 0x3f;
  if (short > 1) return { size: 1, chunkStreamId: short, format };
  const size = short === 0 ? 2 : 3;
  if (at + size > bytes.length) return null;
  const chunkStreamId = 64 + (bytes[at + 1] as number) + (size === 3 ? (bytes[at + 2] as number) * 256 : 0);
  return { size, chunkStreamId, format };
}

function continuation(
  bytes: Buffer,
  at: number,
  end: number,
  header: Omit<ChunkHeader, 'size' | 'hasExtendedTimestamp'>,
  hasExtendedTimestamp: boolean,
): ChunkHeader | null {
  if (!hasExtendedTimestamp) return { ...header, hasExtendedTimestamp, size: end - at };
  const expected = Buffer.allocUnsafe(4);
  expected.writeUInt32BE(header.timestampField);
  const found = bytes.subarray(end, end + 4);
  if (!found.equals(expected.subarray(0, found.length))) return { ...header, hasExtendedTimestamp, size: end - at };
  return found.length < 4 ? null : { ...header, hasExtendedTimestamp, size: end + 4 - at };
}

const firstCapacity = 16 * 1024;

/**
 * The payload of a message in progress. It grows with the received bytes: a claimed length alone takes no memory. Bytes are copied,
 * because a slice would keep the complete block that was read from the socket.
 */
export class MessageBuffer {
  #bytes: Buffer;
  #filled = 0;

  constructor(private readonly length: number) {
    this.#bytes = Buffer.allocUnsafe(Math.min(length, firstCapacity));
  }

  get missing(): number {
    return this.length - this.#filled;
  }

  get capacity(): number {
    return this.#bytes.length;
  }

  append(part: Buffer): void {
    const needed = this.#filled + part.length;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.min(this.length, Math.max(needed, 2 * this.#bytes.length)));
      this.#bytes.copy(grown, 0, 0, this.#filled);
      this.#bytes = grown;
    }
    part.copy(this.#bytes, this.#filled);
    this.#filled = needed;
  }

  /** The complete payload; no byte may be missing. */
  take(): Buffer {
    return this.#bytes;
  }
}
