import Queue from 'yocto-queue';
import { flvTagOverheadBytes, type FlvTag } from '../../shared/media/flv/index.js';
import { EncoderTrack } from './encoderTrack.js';
import type { RtmpLimits } from './limits.js';
import { MediaClock } from './mediaClock.js';
import { messageType, type RtmpMessage } from './rtmpMessage.js';
import type { StreamMetadata } from './metadata.js';

/** Why a publication has ended. The caller may pass other reasons to `end`. */
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
  /** For the log and the owner: the unsupported codec or the violated rule. */
  readonly detail?: string;
}

export interface RtmpPublicationCounts {
  /** Size of the tags so far as an FLV file. */
  readonly bytes: number;
  readonly audioMessages: number;
  readonly videoMessages: number;
  /** Media before the configuration or the first keyframe, and additional tracks. */
  readonly droppedMessages: number;
  /** Video configurations. A second one may change the size. */
  readonly videoConfigurations: number;
  /** Arrival of the first media, at which the tags have time zero; null before. */
  readonly firstMediaAt: Date | null;
  readonly lastMediaAt: Date | null;
  /** Time of the last tag with media. */
  readonly lastMediaMs: number;
  /** The encoder's timestamp of the first media. */
  readonly firstTimestamp: number | null;
  /** Memory of media that waits for the reader: payloads and their objects. */
  readonly bufferedBytes: number;
}

/** One stream that an encoder publishes. */
export interface RtmpPublication<Owner> {
  readonly application: 'live' | 'key';
  readonly streamPath: string;
  readonly remoteAddress: string;
  /** The owner that `authenticate` has returned. */
  readonly owner: Owner;
  /**
   * Configurations and media in order of arrival, in batches as received. For one reader. Media is buffered up to `bufferedBytes`;
   * then the encoder has to wait. It ends with the publication. A reader that stops early ends the publication.
   */
  readonly tags: AsyncIterable<readonly FlvTag[]>;
  readonly ended: Promise<RtmpPublicationEnd>;
  /** Resolves with the first media of an accepted codec, which follows the configurations, or at the end. */
  readonly started: Promise<void>;
  readonly counts: RtmpPublicationCounts;
  readonly codecs: { readonly audio: string | null; readonly video: string | null };
  /** Null until the encoder has sent metadata. */
  readonly metadata: StreamMetadata | null;
  /**
   * Ends the publication and destroys the encoder's connection; with `not accepted`, only after the encoder has had time to read
   * `detail`. Has no effect after the end.
   */
  end(reason: EndReason, detail?: string): void;
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

/** Memory of a tag's objects. An encoder may send tags of three bytes. */
const tagObjectBytes = 256;

/** A publication, with the methods for its connection. */
export class RtmpPublicationFeed<Owner> implements RtmpPublication<Owner> {
  readonly application: 'live' | 'key';
  readonly streamPath: string;
  readonly remoteAddress: string;
  readonly owner: Owner;
  readonly tags: AsyncIterable<readonly FlvTag[]> = this.#read();
  readonly ended: Promise<RtmpPublicationEnd>;
  readonly started: Promise<void>;
  metadata: StreamMetadata | null = null;
  readonly #options: PublicationOptions<Owner>;
  readonly #tracks = { audio: new EncoderTrack('audio'), video: new EncoderTrack('video') };
  readonly #clock = new MediaClock();
  readonly #counts = { bytes: 0, audioMessages: 0, videoMessages: 0, droppedMessages: 0, videoConfigurations: 0 };
  #firstMediaAt: Date | null = null;
  #lastMediaAt: Date | null = null;
  /** Tags since the last flush. */
  #batch: FlvTag[] = [];
  /** Batches that wait for the reader. */
  readonly #queue = new Queue<readonly FlvTag[]>();
  #queuedBytes = 0;
  #end: RtmpPublicationEnd | null = null;
  #resolveEnded: (end: RtmpPublicationEnd) => void = () => {};
  #resolveStarted: () => void = () => {};
  /** Resumes the encoder. */
  #resume: (() => void) | null = null;
  /** Resumes the reader. */
  #wake: (() => void) | null = null;

  constructor(options: PublicationOptions<Owner>) {
    const { application, streamPath, remoteAddress, owner } = options;
    this.#options = options;
    this.application = application;
    this.streamPath = streamPath;
    this.remoteAddress = remoteAddress;
    this.owner = owner;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.started = new Promise((resolve) => (this.#resolveStarted = resolve));
  }

  get counts(): RtmpPublicationCounts {
    return {
      ...this.#counts,
      firstMediaAt: this.#firstMediaAt,
      lastMediaAt: this.#lastMediaAt,
      lastMediaMs: this.#clock.lastMs,
      firstTimestamp: this.#clock.firstTimestamp,
      bufferedBytes: this.#queuedBytes,
    };
  }

  get codecs(): RtmpPublication<Owner>['codecs'] {
    return { audio: this.#tracks.audio.codec, video: this.#tracks.video.codec };
  }

  end(reason: EndReason, detail?: string): void {
    if (this.#end) return;
    this.flush();
    this.#end = detail === undefined ? { reason } : { reason, detail };
    this.#wake?.();
    this.#continue();
    this.#options.onEnd(this.#end);
    this.#resolveEnded(this.#end);
    this.#resolveStarted();
  }

  /** Adds an audio or video message. Returns whether it was media, which restarts the idle timer. */
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
      this.#add({ type, timestampMs: this.#clock.lastMs, payload });
      return false;
    }
    this.#counts[`${kind}Messages`] += 1;
    this.#lastMediaAt = this.#options.now();
    this.#firstMediaAt ??= this.#lastMediaAt;
    this.#resolveStarted();
    this.#add({ type, timestampMs: this.#clock.advance(timestamp), payload });
    return true;
  }

  /** Passes the tags since the last call to the reader. */
  flush(): void {
    if (this.#batch.length === 0 || this.#end) return;
    this.#queue.enqueue(this.#batch);
    this.#queuedBytes += heldBytes(this.#batch);
    this.#batch = [];
    this.#wake?.();
  }

  get isFull(): boolean {
    return !this.#end && this.#queuedBytes >= this.#options.limits.bufferedBytes;
  }

  /** Resolves when the reader has read a batch, or at the end. */
  whenRead(): Promise<void> {
    if (!this.isFull) return Promise.resolve();
    return new Promise((resolve) => (this.#resume = resolve));
  }

  #add(tag: FlvTag): void {
    this.#counts.bytes += tag.payload.length + flvTagOverheadBytes;
    this.#batch.push(tag);
  }

  async *#read(): AsyncGenerator<readonly FlvTag[]> {
    try {
      for (;;) {
        const batch = this.#queue.dequeue();
        if (batch) {
          this.#queuedBytes -= heldBytes(batch);
          this.#continue();
          yield batch;
        } else if (this.#end) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.end('reader closed');
    }
  }

  #continue(): void {
    this.#resume?.();
    this.#resume = null;
  }
}

function heldBytes(batch: readonly FlvTag[]): number {
  return batch.reduce((sum, { payload }) => sum + payload.length + tagObjectBytes, 0);
}
