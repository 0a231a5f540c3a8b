import { contentSegmentSeconds } from '../../../shared/media/segmentSeconds.js';
import { FramePaceMeter, type FramePace } from '../../media/index.js';
import type { AudioIndex } from './audioIndex.js';
import type { CopyRefusal, NotCopied } from './copyRefusal.js';

/**
 * Keyframes further apart make segments that are too long: the first segment must end within the 15 s of a preview. 250 frames
 * are usual, 10.4 s at 24 frames a second.
 */
const maxKeyframeSeconds = 10.9;
/** A frame that is shown for longer is a gap; or a slide, which the encoder repeats. */
const maxFrameSeconds = 1.05;
/** Between the first decoding time and the first presentation time. */
const maxDelaySeconds = 0.9;
/** Of a segment: it is checked in memory. */
const maxSegmentBytes = 64 * 1024 ** 2;
/** Between two keyframes: more than 240 frames a second are not played by anybody. */
const maxFramesOfGroup = 240 * maxKeyframeSeconds;
/** The times of this number of keyframes are kept, for choosing a thumbnail. */
const keptKeyframes = 2_000;
/** Frames that are decoded before the first one is shown. Matroska has no decoding times: ffmpeg knows none for these. */
const maxDelayedFrames = 17;
/** Containers round times to milliseconds, so a constant delay seems to vary by up to this. */
const delayToleranceSeconds = 0.0025;

/** A packet of video, in decoding order. Ticks of its stream; NaN where the container has none. */
export interface VideoPacket {
  readonly tick: number;
  readonly decodeTick: number;
  readonly duration: number;
  readonly bytes: number;
  readonly isKeyframe: boolean;
}

/** A segment of the copy. Seconds from the first frame of the content. */
export interface CopySegment {
  readonly startSeconds: number;
  readonly durationSeconds: number;
  readonly frames: number;
}

/** What the packets of the video say. */
export interface VideoIndex {
  readonly segments: readonly CopySegment[];
  readonly durationSeconds: number;
  readonly frames: number;
  readonly bytes: number;
  /** Known at its end. */
  readonly pace: FramePace;
  /** Seconds from the first frame. */
  readonly keyframeSeconds: readonly number[];
}

export interface PacketIndex {
  readonly video: VideoIndex;
  /** Null: there is no audio, or it is not known when it begins and ends. */
  readonly audio: AudioIndex | null;
  /** Time of the first frame in the source. */
  readonly startSeconds: number;
}

/** What is known of a video before its packets are read. */
export interface IndexedVideo {
  /** Seconds of one tick. */
  readonly timeBase: number;
  /** Its frames are decoded in another order than they are shown. */
  readonly isReordered: boolean;
  /** A longer video is refused. */
  readonly maxSeconds: number;
}

/**
 * Takes the packets of a video in decoding order, and divides them into segments: each ends at the first keyframe that is
 * `contentSegmentSeconds` after its start. Keeps one group of pictures in memory. After
 * the first packet that cannot be copied, `refusal` tells why. `closed` grows with the segments that are complete.
 */
export class VideoIndexer {
  refusal: CopyRefusal | null = null;
  readonly closed = {
    segments: [] as CopySegment[],
    durationSeconds: 0,
    frames: 0,
    bytes: 0,
    pace: { framesPerSecond: 0, isConstant: false } as FramePace,
    keyframeSeconds: [] as number[],
  };
  readonly #meter = new FramePaceMeter();
  #origin = Number.NaN;
  #frames = 0;
  #lastDecode = Number.NEGATIVE_INFINITY;
  #lastShown = Number.NEGATIVE_INFINITY;
  #lastDuration = 0;
  /** Presentation times since the last keyframe. */
  #group: number[] = [];
  #groupStart = 0;
  #segment = { start: 0, frames: 0, bytes: 0 };
  /** From decoding to presentation. */
  #delay = { least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY };

  constructor(private readonly stream: IndexedVideo) {}

  add(packet: VideoPacket): void {
    this.refusal ??= this.#take(packet);
  }

  /** The index, or why the source is not copied. */
  finish(): VideoIndex | NotCopied {
    if (this.#frames < 2 && !this.refusal) return { refusal: 'duration' };
    const usual = (this.#lastShown - this.#origin) / Math.max(1, this.#frames - 1);
    const end = this.#lastShown + Math.max(this.#lastDuration, usual);
    this.refusal ??= this.#closeGroup(end) ?? this.#wholeRefusal(end);
    if (this.refusal) return { refusal: this.refusal };
    this.#closeSegment(end);
    const { timeBase } = this.stream;
    this.closed.pace = this.#meter.pace(usual * timeBase, timeBase);
    return this.closed;
  }

  #take({ tick, decodeTick, duration, bytes, isKeyframe }: VideoPacket): CopyRefusal | null {
    if (!Number.isFinite(tick) || !this.#isInOrder(tick, decodeTick)) return 'timestamps';
    if (this.#frames === 0) {
      if (!isKeyframe) return 'firstKeyframe';
      if ((tick - decodeTick) * this.stream.timeBase > maxDelaySeconds) return 'timestamps';
      this.#origin = tick;
      this.#segment.start = tick;
    }
    if (isKeyframe) {
      // A frame that is decoded before a keyframe and shown after it: there is no place to cut.
      if (tick <= this.#lastShown) return 'openGop';
      const refusal = this.#frames === 0 ? null : this.#closeGroup(tick);
      if (refusal) return refusal;
      if ((tick - this.#segment.start) * this.stream.timeBase >= contentSegmentSeconds) this.#closeSegment(tick);
      this.#groupStart = tick;
      const { keyframeSeconds } = this.closed;
      if (keyframeSeconds.length < keptKeyframes) keyframeSeconds.push(this.#seconds(tick));
    } else if (tick <= this.#groupStart) return 'openGop';
    this.#group.push(tick);
    this.#meter.add(tick);
    this.#frames += 1;
    this.#segment.frames += 1;
    this.#segment.bytes += bytes;
    if (Number.isFinite(decodeTick)) this.#noteDecoding(decodeTick, tick - decodeTick);
    if (tick > this.#lastShown) [this.#lastShown, this.#lastDuration] = [tick, duration || 0];
    if (this.#segment.bytes > maxSegmentBytes) return 'bitRate';
    if (this.#seconds(tick) > this.stream.maxSeconds) return 'duration';
    return this.#group.length > maxFramesOfGroup ? 'keyframeInterval' : null;
  }

  #isInOrder(tick: number, decodeTick: number): boolean {
    if (Number.isFinite(decodeTick)) return decodeTick > this.#lastDecode && decodeTick <= tick;
    return this.#lastDecode === Number.NEGATIVE_INFINITY && this.#frames < maxDelayedFrames;
  }

  #noteDecoding(decodeTick: number, delay: number): void {
    this.#lastDecode = decodeTick;
    if (delay < this.#delay.least) this.#delay.least = delay;
    if (delay > this.#delay.most) this.#delay.most = delay;
  }

  /** What is only known of all frames together. */
  #wholeRefusal(end: number): CopyRefusal | null {
    if (this.#seconds(end) > this.stream.maxSeconds) return 'duration';
    const { least, most } = this.#delay;
    // The container has the times of decoding in place of those of presentation: players would show the wrong order.
    const isOrderKnown = (most - least) * this.stream.timeBase > delayToleranceSeconds;
    return this.stream.isReordered && !isOrderKnown ? 'timestamps' : null;
  }

  /** Checks the frames since the last keyframe; the next one, or the end, is at `end`. */
  #closeGroup(end: number): CopyRefusal | null {
    if ((end - this.#groupStart) * this.stream.timeBase > maxKeyframeSeconds) return 'keyframeInterval';
    const shown = [...this.#group.toSorted((left, right) => left - right), end];
    this.#group = [];
    for (let frame = 1; frame < shown.length; frame += 1) {
      const ticks = (shown[frame] ?? 0) - (shown[frame - 1] ?? 0);
      if (ticks <= 0) return 'timestamps';
      if (ticks * this.stream.timeBase > maxFrameSeconds) return 'gap';
    }
    return null;
  }

  #closeSegment(end: number): void {
    const { start, frames, bytes } = this.#segment;
    const durationSeconds = (end - start) * this.stream.timeBase;
    this.closed.segments.push({ startSeconds: this.#seconds(start), durationSeconds, frames });
    this.closed.durationSeconds = this.#seconds(end);
    this.closed.frames += frames;
    this.closed.bytes += bytes;
    this.#segment = { start: end, frames: 0, bytes: 0 };
  }

  /** Time of the first frame in the source. */
  get startSeconds(): number {
    return this.#origin * this.stream.timeBase;
  }

  #seconds(tick: number): number {
    return (tick - this.#origin) * this.stream.timeBase;
  }
}
