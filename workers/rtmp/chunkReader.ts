import { maxChunkHeader, MessageBuffer, readChunkHeader, type ChunkHeader, type ChunkStream } from './chunkHeader.js';
import type { RtmpLimits } from './limits.js';
import { messageType, readUint32, type RtmpMessage } from './rtmpMessage.js';
import { RtmpProtocolError } from './protocolError.js';

const initialChunkSize = 128;
/** With smaller chunks, headers would take most of the processor time. */
const smallestChunkSize = 128;

type ReaderLimits = Pick<RtmpLimits, 'messageBytes' | 'commandBytes' | 'chunkStreams'>;

/**
 * Reads messages from the bytes of a chunk stream, however they are split. Set Chunk Size and Abort are applied here, because the
 * next chunk depends on them.
 *
 * It holds at most `messageBytes` for messages in progress, a fixed size for each of `chunkStreams`, and one incomplete chunk
 * header. Throws `RtmpProtocolError`, after which it must not be used.
 */
export class ChunkReader {
  readonly #streams = new Map<number, ChunkStream>();
  #chunkSize = initialChunkSize;
  /** An incomplete chunk header. */
  #rest: Buffer = Buffer.alloc(0);
  /** The chunk stream whose chunk is being received, and the missing bytes of the chunk. */
  #current: ChunkStream | null = null;
  #missingInChunk = 0;
  #heldBytes = 0;

  constructor(private readonly limits: ReaderLimits) {}

  /** Bytes allocated for messages in progress and for an incomplete header. */
  get heldBytes(): number {
    return this.#heldBytes + this.#rest.length;
  }

  /**
   * Yields the messages that these bytes complete, each payload in a separate buffer. Set Chunk Size and Abort are applied, and
   * also yielded, because they cost the same and have to be counted.
   */
  *read(received: Buffer): Generator<RtmpMessage, void> {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, received]) : received;
    this.#rest = Buffer.alloc(0);
    let at = 0;
    for (;;) {
      if (!this.#current) {
        const header = readChunkHeader(bytes, at, this.#streams);
        if (!header) {
          this.#keep(bytes.subarray(at));
          return;
        }
        at += header.size;
        this.#startChunk(header);
      }
      const stream = this.#current;
      if (!stream?.message) throw new RtmpProtocolError('a chunk without a message');
      const part = bytes.subarray(at, at + this.#missingInChunk);
      this.#append(stream.message, part);
      at += part.length;
      this.#missingInChunk -= part.length;
      if (this.#missingInChunk > 0) return;
      this.#current = null;
      if (stream.message.missing > 0) continue;
      const message = this.#complete(stream, stream.message);
      this.#control(message);
      yield message;
    }
  }

  #keep(rest: Buffer): void {
    if (rest.length >= maxChunkHeader) throw new RtmpProtocolError('a chunk header that does not end');
    this.#rest = Buffer.from(rest);
  }

  #startChunk(header: ChunkHeader): void {
    const stream = this.#streams.get(header.chunkStreamId) ?? this.#addStream(header.chunkStreamId);
    if (!stream.message) this.#startMessage(stream, header);
    else if (header.format !== 3) throw new RtmpProtocolError('a message starts inside another one');
    const { message } = stream;
    this.#current = stream;
    this.#missingInChunk = Math.min(this.#chunkSize, message?.missing ?? 0);
  }

  #addStream(id: number): ChunkStream {
    if (this.#streams.size >= this.limits.chunkStreams) throw new RtmpProtocolError('too many chunk streams');
    const stream: ChunkStream = {
      timestamp: 0,
      timestampField: 0,
      hasExtendedTimestamp: false,
      length: 0,
      type: 0,
      streamId: 0,
      message: null,
    };
    this.#streams.set(id, stream);
    return stream;
  }

  #startMessage(stream: ChunkStream, header: ChunkHeader): void {
    const { timestampField, hasExtendedTimestamp, length, type, streamId } = header;
    if (length > this.#longest(type)) throw new RtmpProtocolError('a message is too long');
    const timestamp = header.format === 0 ? timestampField : (stream.timestamp + timestampField) >>> 0;
    Object.assign(stream, { timestamp, timestampField, hasExtendedTimestamp, length, type, streamId });
    stream.message = new MessageBuffer(length);
    this.#hold(stream.message.capacity);
  }

  #longest(type: number): number {
    const isMedia = type === messageType.audio || type === messageType.video || type === messageType.aggregate;
    return isMedia ? this.limits.messageBytes : this.limits.commandBytes;
  }

  #append(message: MessageBuffer, part: Buffer): void {
    const before = message.capacity;
    message.append(part);
    this.#hold(message.capacity - before);
  }

  /** A single message of the permitted length always fits, because its buffer does not exceed its length. */
  #hold(bytes: number): void {
    this.#heldBytes += bytes;
    if (this.#heldBytes > this.limits.messageBytes + this.limits.commandBytes)
      throw new RtmpProtocolError('too many bytes of unfinished messages');
  }

  #complete(stream: ChunkStream, message: MessageBuffer): RtmpMessage {
    this.#release(stream);
    const { type, timestamp, streamId } = stream;
    return { type, timestamp, streamId, payload: message.take() };
  }

  #release(stream: ChunkStream): void {
    this.#heldBytes -= stream.message?.capacity ?? 0;
    stream.message = null;
  }

  /** Applies a control message of the chunk stream itself. */
  #control(message: RtmpMessage): void {
    if (message.type === messageType.setChunkSize) this.#setChunkSize(readUint32(message));
    if (message.type === messageType.abort) this.#abort(readUint32(message));
  }

  #setChunkSize(size: number): void {
    if (size < smallestChunkSize || size > 0x7fffffff)
      throw new RtmpProtocolError('a chunk size that is not permitted');
    this.#chunkSize = size;
  }

  #abort(chunkStreamId: number): void {
    const stream = this.#streams.get(chunkStreamId);
    if (stream) this.#release(stream);
  }
}
