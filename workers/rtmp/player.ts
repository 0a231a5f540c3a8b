import { connect as connectTcp, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { readAudioHead, readVideoHead, type FlvTag } from '../../shared/media/flv/index.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { withTimeout } from '../../shared/platform/withTimeout.js';
import { Acknowledgements } from './acknowledgements.js';
import { ChunkReader } from './chunkReader.js';
import { encodeChunks } from './chunkWriter.js';
import { decodeCommand, decodeData } from './commands.js';
import { Handshake } from './handshake.js';
import { defaultRtmpLimits } from './limits.js';
import { MediaClock } from './mediaClock.js';
import { messageType, pingResponse, splitAggregate, type RtmpMessage, type ServerMessage } from './rtmpMessage.js';
import { readMetadata, type StreamMetadata } from './metadata.js';
import { PlayCommands } from './playCommands.js';
import { RtmpProtocolError } from './protocolError.js';

interface RtmpPlayerOptions {
  /** A server that sends no bytes for this time, while this side reads, has lost the stream. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** Called when the server has accepted `play`: it will send all media, including that of an encoder that begins later. */
  onPlaying(this: void): void;
}

/** The chunk size until a peer sets another one. */
const chunkSize = 128;
const defaultPorts: Readonly<Record<string, number>> = { 'rtmp:': 1935, 'rtmps:': 443 };
/** Maximum of unread commands. */
const unreadBytes = 64 * 1024;

/** Plays one live stream of another RTMP server. RTMPS accepts any certificate, like ffmpeg with the other protocols. */
export class RtmpPlayer {
  readonly #options: RtmpPlayerOptions;
  readonly #socket: Socket;
  readonly #commands: PlayCommands;
  readonly #reader = new ChunkReader(defaultRtmpLimits);
  readonly #handshake = new Handshake('client');
  readonly #acknowledgements = new Acknowledgements();
  readonly #clock = new MediaClock();
  #metadata: StreamMetadata | null = null;

  /** Connects at once. Throws if the address has a password, which would require Adobe's login. */
  constructor(url: URL, options: RtmpPlayerOptions) {
    if (url.username || url.password)
      throw new RtmpProtocolError('an RTMP address with a user and a password cannot be played');
    this.#commands = new PlayCommands(url, options.onPlaying);
    this.#options = options;
    const [host, port] = [url.hostname.replace(/^\[|\]$/g, ''), Number(url.port) || defaultPorts[url.protocol]];
    const address = { host, port: port ?? 0 };
    this.#socket = withErrorListener(
      url.protocol === 'rtmps:' ? connectTls({ ...address, rejectUnauthorized: false }) : connectTcp(address),
    );
    addAbortSignal(options.signal, this.#socket);
    this.#socket.setNoDelay(true);
    this.#socket.write(this.#handshake.hello);
  }

  /** Null until the server has sent metadata. */
  get metadata(): StreamMetadata | null {
    return this.#metadata;
  }

  /**
   * Configurations and media, in batches as received. Ends with the stream. Rejects with RtmpProtocolError, with TimeoutError, or
   * with the error of the connection.
   */
  async *tags(): AsyncGenerator<readonly FlvTag[]> {
    const blocks = (this.#socket as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    try {
      while (!this.#commands.hasEnded) {
        const { done, value } = await withTimeout(blocks.next(), this.#options.idleMs);
        if (done) return;
        const batch = this.#take(value);
        if (batch.length > 0) yield batch;
      }
    } finally {
      this.close();
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(bytes: Buffer): FlvTag[] {
    this.#acknowledgements.count(bytes.length);
    const batch: FlvTag[] = [];
    for (const message of this.#reader.read(this.#afterHandshake(bytes)))
      for (const single of message.type === messageType.aggregate ? splitAggregate(message) : [message]) {
        const tag = this.#takeMessage(single);
        if (tag) batch.push(tag);
      }
    this.#send(this.#acknowledgements.due());
    return batch;
  }

  #afterHandshake(bytes: Buffer): Buffer {
    if (this.#handshake.isDone) return bytes;
    const { reply, rest } = this.#handshake.read(bytes);
    if (reply) {
      this.#socket.write(reply);
      this.#send(this.#commands.begin());
    }
    return rest;
  }

  #takeMessage(message: RtmpMessage): FlvTag | null {
    switch (message.type) {
      case messageType.audio:
      case messageType.video:
        return this.#tagOf(message);
      case messageType.dataAmf0:
      case messageType.dataAmf3:
        this.#metadata = readMetadata(decodeData(message)) ?? this.#metadata;
        return null;
      case messageType.commandAmf0:
      case messageType.commandAmf3:
        this.#send(this.#commands.respond(decodeCommand(message)));
        return null;
      case messageType.userControl:
        this.#send([pingResponse(message) ?? []].flat());
        return null;
      default:
        this.#acknowledgements.take(message);
        return null;
    }
  }

  #tagOf({ type, timestamp, payload }: RtmpMessage): FlvTag {
    const head = type === messageType.video ? readVideoHead(payload) : readAudioHead(payload);
    const hasTime = head !== null && !head.isConfiguration;
    return { type, timestampMs: hasTime ? this.#clock.advance(timestamp) : this.#clock.lastMs, payload };
  }

  #send(messages: readonly ServerMessage[]): void {
    for (const message of messages) this.#socket.write(encodeChunks(message, chunkSize));
    if (this.#socket.writableLength > unreadBytes) throw new RtmpProtocolError('the server does not read');
  }
}
