import { Readable } from 'node:stream';
import Queue from 'yocto-queue';
import { EncoderTrack } from './codecs.js';
import { encodeMetadata, flvHeader, flvTag, flvTagType, type StreamMetadata } from './flv.js';
import type { RtmpLimits } from './limits.js';
import { MediaClock } from './mediaClock.js';
import { messageType, type RtmpMessage } from './messages.js';

/** Why a publication has ended. The caller may give reasons of its own to `end`. */
export type EndReason =
  | 'unpublished'
  | 'connection lost'
  | 'idle'
  | 'slow reader'
  | 'reader closed'
  | 'unsupported codec'
  | 'protocol error'
  | 'not accepted'
  | 'server error'
  | 'server closed'
  | (string & {});

export interface RtmpPublicationEnd {
  readonly reason: EndReason;
  /** For the log and the owner: the codec that is not supported, the rule that was broken. */
  readonly detail?: string;
}

export interface RtmpPublicationCounts {
  /** FLV bytes written so far. */
  readonly bytes: number;
  readonly audioMessages: number;
  readonly videoMessages: number;
  /** Media before the configuration or the first keyframe, and additional tracks. */
  readonly droppedMessages: number;
  /** Video configurations. A second one may change the size. */
  readonly videoConfigurations: number;
  /** When the first media arrived; null before. The time of the FLV stream starts here at zero. */
  readonly firstMediaAt: Date | null;
  readonly lastMediaAt: Date | null;
  /** Time of the last media in the FLV stream. */
  readonly lastMediaMs: number;
  /** The encoder's timestamp of the first media. */
  readonly firstTimestamp: number | null;
  /** FLV bytes that wait for their reader. */
  readonly bufferedBytes: number;
}

/** One stream that an encoder publishes. */
export interface RtmpPublication<Owner> {
  readonly application: 'live' | 'key';
  readonly streamPath: string;
  readonly remoteAddress: string;
  /** What `authenticate` has returned. */
  readonly owner: Owner;
  /**
   * An FLV file: header, `onMetaData`, configurations, media. Nothing is lost before it is read, up to `bufferedBytes`; then
   * the encoder has to wait. The header names the tracks that were there at the first read, or both where none was.
   * It ends with the publication. Destroying it ends the publication.
   */
  readonly flv: Readable;
  readonly ended: Promise<RtmpPublicationEnd>;
  readonly counts: RtmpPublicationCounts;
  readonly codecs: { readonly audio: string | null; readonly video: string | null };
  /** Null until the encoder has sent it. */
  readonly metadata: StreamMetadata | null;
  /** Ends the publication and destroys the encoder's connection at once. Has no effect after the end. */
  end(reason: EndReason): void;
}

interface PublicationOptions<Owner> extends Pick<
  RtmpPublication<Owner>,
  'application' | 'streamPath' | 'remoteAddress' | 'owner'
> {
  readonly limits: Pick<RtmpLimits, 'bufferedBytes'>;
  now(this: void): Date;
  /** Called once, at the end. */
  onEnd(end: RtmpPublicationEnd): void;
}

/** What the reader's stream holds beside the queue: it gives all of it to the reader at once. */
const streamBytes = 64 * 1024;
/** The objects of one block. Blocks may have a few bytes, because an encoder may send tiny messages one by one. */
const blockOverheadBytes = 256;

/** A publication with the methods of the connection that feeds it. */
export class RtmpPublicationFeed<Owner> implements RtmpPublication<Owner> {
  readonly application: 'live' | 'key';
  readonly streamPath: string;
  readonly remoteAddress: string;
  readonly owner: Owner;
  readonly flv: Readable;
  readonly ended: Promise<RtmpPublicationEnd>;
  metadata: StreamMetadata | null = null;
  readonly #options: PublicationOptions<Owner>;
  readonly #tracks = { audio: new EncoderTrack('audio'), video: new EncoderTrack('video') };
  readonly #clock = new MediaClock();
  readonly #counts = { bytes: 0, audioMessages: 0, videoMessages: 0, droppedMessages: 0, videoConfigurations: 0 };
  #firstMediaAt: Date | null = null;
  #lastMediaAt: Date | null = null;
  /** Parts of tags since the last flush. */
  #parts: Buffer[] = [];
  /** Blocks that wait for the stream. */
  readonly #queue = new Queue<Buffer>();
  #queuedBytes = 0;
  #isRead = false;
  /** The stream has space. */
  #isWanted = false;
  #end: RtmpPublicationEnd | null = null;
  #resolveEnded: (end: RtmpPublicationEnd) => void = () => {};
  #resume: (() => void) | null = null;

  constructor(options: PublicationOptions<Owner>) {
    const { application, streamPath, remoteAddress, owner } = options;
    this.#options = options;
    this.application = application;
    this.streamPath = streamPath;
    this.remoteAddress = remoteAddress;
    this.owner = owner;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.flv = new Readable({
      highWaterMark: Math.min(streamBytes, options.limits.bufferedBytes),
      read: () => this.#onRead(),
      destroy: (error, done) => {
        this.end('reader closed');
        done(error);
      },
    });
  }

  get counts(): RtmpPublicationCounts {
    return {
      ...this.#counts,
      firstMediaAt: this.#firstMediaAt,
      lastMediaAt: this.#lastMediaAt,
      lastMediaMs: this.#clock.lastMs,
      firstTimestamp: this.#clock.firstTimestamp,
      bufferedBytes: this.#queuedBytes + this.flv.readableLength,
    };
  }

  get codecs(): RtmpPublication<Owner>['codecs'] {
    return { audio: this.#tracks.audio.codec, video: this.#tracks.video.codec };
  }

  end(reason: EndReason, detail?: string): void {
    if (this.#end) return;
    this.flush();
    this.#end = detail === undefined ? { reason } : { reason, detail };
    this.#supply();
    this.#continue();
    this.#options.onEnd(this.#end);
    this.#resolveEnded(this.#end);
  }

  /** Takes an audio or video message. Returns whether it was media, which shows that the encoder is alive. */
  take({ type, timestamp, payload }: RtmpMessage): boolean {
    if (this.#end) return false;
    const kind = type === messageType.video ? 'video' : 'audio';
    const decision = this.#tracks[kind].decide(payload);
    if (typeof decision === 'object') {
      this.end('unsupported codec', decision.unsupported);
      return false;
    }
    if (decision === 'ignore') return false;
    if (decision === 'drop') {
      this.#counts.droppedMessages += 1;
      return false;
    }
    if (decision === 'configuration') {
      if (kind === 'video') this.#counts.videoConfigurations += 1;
      this.#parts.push(...flvTag(flvTagType[kind], this.#clock.lastMs, payload));
      return false;
    }
    this.#counts[`${kind}Messages`] += 1;
    this.#lastMediaAt = this.#options.now();
    this.#firstMediaAt ??= this.#lastMediaAt;
    this.#parts.push(...flvTag(flvTagType[kind], this.#clock.advance(timestamp), payload));
    return true;
  }

  takeMetadata(metadata: StreamMetadata): void {
    if (this.#end) return;
    this.metadata = metadata;
    this.#parts.push(...flvTag(flvTagType.script, this.#clock.lastMs, encodeMetadata(metadata)));
  }

  /** Gives the tags since the last call to the reader, as one block: tags of a few bytes would cost more than they hold. */
  flush(): void {
    if (this.#parts.length === 0 || this.#end || this.flv.destroyed) return;
    const block = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#counts.bytes += block.length;
    this.#queue.enqueue(block);
    this.#queuedBytes += block.length;
    this.#supply();
  }

  get isFull(): boolean {
    if (this.#end) return false;
    const takenBytes = this.#queuedBytes + this.#queue.size * blockOverheadBytes + this.flv.readableLength;
    return takenBytes >= this.#options.limits.bufferedBytes;
  }

  /** Resolves when the reader has taken something, or at the end. */
  whenRead(): Promise<void> {
    if (!this.isFull) return Promise.resolve();
    return new Promise((resolve) => (this.#resume = resolve));
  }

  #onRead(): void {
    this.#isWanted = true;
    if (!this.#isRead) this.#startReading();
    this.#supply();
    // Also where the buffer looks full: the block that is being read still counts, and there may be no other call.
    this.#continue();
  }

  #startReading(): void {
    this.#isRead = true;
    const { audio, video } = this.codecs;
    const isUnknown = audio === null && video === null;
    this.flv.push(flvHeader({ audio: isUnknown || audio !== null, video: isUnknown || video !== null }));
  }

  /** Moves blocks to the stream as long as it has space; its end follows the last one. */
  #supply(): void {
    if (this.flv.destroyed) return;
    while (this.#isWanted) {
      const block = this.#queue.dequeue();
      if (!block) break;
      this.#queuedBytes -= block.length;
      this.#isWanted = this.flv.push(block);
    }
    if (this.#end && this.#isRead && this.#queue.size === 0) this.flv.push(null);
  }

  #continue(): void {
    this.#resume?.();
    this.#resume = null;
  }
}
