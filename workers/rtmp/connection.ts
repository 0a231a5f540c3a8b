import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { Acknowledgements } from './acknowledgements.js';
import type { AdobeChallenges } from './adobeChallenge.js';
import { ChunkReader } from './chunkReader.js';
import { encodeChunks } from './chunkWriter.js';
import type { PublishDecisions, Refusal } from './decisions.js';
import { Handshake } from './handshake.js';
import type { RtmpLimits } from './limits.js';
import { messageType, pingResponse, splitAggregate, type RtmpMessage, type ServerMessage } from './rtmpMessage.js';
import type { LoginRequests } from './loginRequests.js';
import { Pace } from './pace.js';
import type { Peer } from './peer.js';
import { RtmpProtocolError } from './protocolError.js';
import type { EndReason } from './publication.js';
import type { RefusalLog } from './refusalLog.js';
import { serverChunkSize, RtmpSession } from './rtmpSession.js';

export interface ConnectionOptions<Owner> {
  readonly socket: Socket;
  readonly remoteAddress: string;
  readonly decisions: PublishDecisions<Owner>;
  readonly challenges: AdobeChallenges;
  readonly limits: RtmpLimits;
  now(this: void): Date;
  readonly log: Logger;
  readonly refusals: RefusalLog;
  readonly loginRequests: LoginRequests;
  /** Called when the publication is accepted. */
  onPublishing(this: void): void;
}

/** Maximum of unread responses. */
const unreadResponseBytes = 64 * 1024;

/** One connection of an encoder: its socket, its deadlines, and its bytes in both directions. */
export class Connection<Owner> implements Peer {
  readonly remoteAddress: string;
  readonly #options: ConnectionOptions<Owner>;
  readonly #socket: Socket;
  readonly #handshake = new Handshake('server');
  readonly #reader: ChunkReader;
  readonly #session: RtmpSession<Owner>;
  readonly #pace: Pace;
  /** First the publish deadline, then the idle limit, finally the time to read a refusal. */
  #timer: NodeJS.Timeout;
  #isDismissed = false;
  #isPublishing = false;
  #outgoingChunkSize = 128;
  readonly #acknowledgements = new Acknowledgements();

  constructor(options: ConnectionOptions<Owner>) {
    this.#options = options;
    this.#socket = options.socket;
    this.remoteAddress = options.remoteAddress;
    this.#reader = new ChunkReader(options.limits);
    this.#pace = new Pace(options.limits);
    this.#session = new RtmpSession({ ...options, peer: this });
    this.#timer = setTimeout(() => this.#missDeadline(), options.limits.publishDeadlineMs);
    // Errors of the socket also end the loop in `serve`.
    this.#socket.on('error', () => {});
    this.#socket.setNoDelay(true);
  }

  get isOpen(): boolean {
    return !this.#isDismissed && !this.#socket.destroyed;
  }

  /** Serves the connection until it ends. Never rejects. */
  async serve(): Promise<void> {
    try {
      for await (const bytes of this.#socket as AsyncIterable<Buffer>) {
        this.#acknowledgements.count(bytes.length);
        if (this.isOpen) await this.#take(bytes).catch((error: unknown) => this.#fail(error));
        await this.#pace.countBytes(bytes.length);
      }
    } catch {
      // The connection was reset, or destroyed by this process.
    } finally {
      this.end('connection lost');
      clearTimeout(this.#timer);
    }
  }

  /** Ends the publication, if there is one, and destroys the socket at once. */
  end(reason: EndReason, detail?: string): void {
    this.#session.publication?.end(reason, detail);
    this.#socket.destroy();
  }

  send(messages: readonly ServerMessage[]): void {
    if (!this.isOpen) return;
    for (const message of messages) {
      this.#socket.write(encodeChunks(message, this.#outgoingChunkSize));
      if (message.type === messageType.setChunkSize) this.#outgoingChunkSize = serverChunkSize;
    }
    if (this.#socket.writableLength > unreadResponseBytes)
      this.end('protocol error', 'the peer does not read responses');
  }

  dismiss(messages: readonly ServerMessage[]): void {
    this.send(messages);
    this.#isDismissed = true;
    this.#restartTimer(() => this.#socket.destroy(), this.#options.limits.lingerMs);
  }

  onRefused(refusal: Omit<Refusal, 'remoteAddress'>, err?: unknown): void {
    this.#options.refusals.add({ ...refusal, remoteAddress: this.remoteAddress }, err);
  }

  onEnd(): void {
    if (!this.#isDismissed) this.#socket.destroy();
  }

  async #take(bytes: Buffer): Promise<void> {
    if (!this.#isPublishing && this.#acknowledgements.receivedBytes > this.#options.limits.bytesBeforePublish)
      throw new RtmpProtocolError('too many bytes before publish');
    for (const message of this.#reader.read(this.#afterHandshake(bytes)))
      for (const single of message.type === messageType.aggregate ? splitAggregate(message) : [message]) {
        const taken = this.#takeMessage(single);
        if (taken) await taken;
        if (!this.isOpen) return;
        if (this.#session.publication && !this.#isPublishing) this.#startPublishing();
        const waiting = this.#pace.countMessage(single);
        if (!waiting) continue;
        await this.#handOn();
        await waiting;
        if (!this.isOpen) return;
      }
    await this.#handOn();
    this.send(this.#acknowledgements.due());
  }

  /** Passes the received media to the reader. While its buffer is full, the socket is not read, so that the encoder waits. */
  async #handOn(): Promise<void> {
    const { publication } = this.#session;
    publication?.flush();
    if (!publication?.isFull) return;
    this.#restartTimer(() => this.end('slow reader'), this.#options.limits.slowReaderMs);
    await publication.whenRead();
    if (this.isOpen) this.#restartIdleTimer();
  }

  #afterHandshake(bytes: Buffer): Buffer {
    if (this.#handshake.isDone) return bytes;
    const { reply, rest } = this.#handshake.read(bytes);
    if (reply) this.#socket.write(reply);
    return rest;
  }

  #takeMessage(message: RtmpMessage): Promise<void> | undefined {
    switch (message.type) {
      case messageType.windowAcknowledgementSize:
        this.#acknowledgements.take(message);
        return undefined;
      case messageType.userControl: {
        const response = pingResponse(message);
        if (response) this.send([response]);
        return undefined;
      }
      default:
        return this.#session.take(message, () => this.#timer.refresh());
    }
  }

  #startPublishing(): void {
    this.#isPublishing = true;
    this.#options.onPublishing();
    this.#restartIdleTimer();
  }

  #restartIdleTimer(): void {
    this.#restartTimer(() => this.end('idle'), this.#options.limits.idleMs);
  }

  #restartTimer(onTime: () => void, afterMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(onTime, afterMs);
  }

  #missDeadline(): void {
    this.onRefused({ reason: 'nothing was published in time' });
    this.end('protocol error', 'nothing was published in time');
  }

  #fail(error: unknown): void {
    if (!(error instanceof RtmpProtocolError)) {
      this.#options.log.error({ err: error }, 'RTMP connection failed');
      return this.end('server error');
    }
    if (this.#session.publication) return this.end('protocol error', error.message);
    this.onRefused({ reason: error.message });
    this.#socket.destroy();
  }
}
