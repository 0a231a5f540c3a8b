import type { RtmpMessage } from '../../../workers/rtmp/rtmpMessage.js';

/** A message with the chunk stream that carries it. */
export interface EncoderMessage extends RtmpMessage {
  readonly chunkStreamId: number;
}

export interface ChunkEncoding {
  readonly chunkSize: number;
  /** Uses the shortest possible header, as encoders do; otherwise only headers of type 0. */
  readonly shortHeaders?: boolean;
  /** Some encoders omit the extended timestamp in type 3 chunks that continue a message. */
  readonly repeatsExtendedTimestamp?: boolean;
}

interface Previous {
  readonly timestamp: number;
  readonly field: number;
  readonly length: number;
  readonly type: number;
  readonly streamId: number;
}

const extendedMark = 0xffffff;

/** Chunks as an encoder sends them, written from the specification, without code of the tested reader. */
export class ChunkEncoder {
  readonly #previous = new Map<number, Previous>();

  constructor(private readonly encoding: ChunkEncoding) {}

  /** The chunks of a message. Messages of different chunk streams may be interleaved. */
  chunks(message: EncoderMessage): Buffer[] {
    const { chunkSize, repeatsExtendedTimestamp = true } = this.encoding;
    const { chunkStreamId, payload } = message;
    const { format, field } = this.#header(message);
    const extended = field >= extendedMark ? uint(field, 4) : Buffer.alloc(0);
    const first = [
      basicHeader(format, chunkStreamId),
      ...(format < 3 ? [uint(Math.min(field, extendedMark), 3)] : []),
      ...(format < 2 ? [uint(payload.length, 3), uint(message.type, 1)] : []),
      ...(format < 1 ? [littleEndian(message.streamId)] : []),
      extended,
      payload.subarray(0, chunkSize),
    ];
    const chunks = [Buffer.concat(first)];
    for (let at = chunkSize; at < payload.length; at += chunkSize) {
      const repeated = repeatsExtendedTimestamp ? extended : Buffer.alloc(0);
      chunks.push(Buffer.concat([basicHeader(3, chunkStreamId), repeated, payload.subarray(at, at + chunkSize)]));
    }
    return chunks;
  }

  encode(messages: readonly EncoderMessage[]): Buffer {
    return Buffer.concat(messages.flatMap((message) => this.chunks(message)));
  }

  #header({ chunkStreamId, timestamp, payload, type, streamId }: EncoderMessage): { format: number; field: number } {
    const previous = this.#previous.get(chunkStreamId);
    const delta = previous ? (timestamp - previous.timestamp) >>> 0 : 0;
    const isLike = previous?.length === payload.length && previous.type === type;
    const mayBeShort = this.encoding.shortHeaders && previous?.streamId === streamId && delta < 2 ** 31;
    const format = !mayBeShort ? 0 : !isLike ? 1 : delta === previous.field ? 3 : 2;
    const field = format === 0 ? timestamp : delta;
    this.#previous.set(chunkStreamId, { timestamp, field, length: payload.length, type, streamId });
    return { format, field };
  }
}

function basicHeader(format: number, id: number): Buffer {
  const bits = format << 6;
  if (id < 64) return Buffer.from([bits | id]);
  if (id < 320) return Buffer.from([bits, id - 64]);
  return Buffer.from([bits | 1, (id - 64) & 0xff, (id - 64) >> 8]);
}

function uint(value: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
