import { contentSegmentSeconds } from '../../../shared/media/segmentSeconds.js';
import { FramePaceMeter, type FramePace } from '../../media/index.js';
import type { AudioIndex } from './audioIndex.js';
import type { CopyRefusal, NotCopied } from './copyRefusal.js';

/**
 * Maximum keyframe interval: the first segment must end within the 15 s of a preview. An interval of 250 frames is usual, 10.4 s at
 * 24 frames per second.
 */
const maxKeyframeSeconds = 10.9;
/** A longer frame is a gap, or a slide that an encoder would repeat. */
const maxFrameSeconds = 1.05;
/** Maximum delay from the first decoding time to the first presentation time. */
const maxDelaySeconds = 0.9;
/** A segment is checked in memory. */
const maxSegmentBytes = 64 * 1024 ** 2;
/** Maximum of frames between two keyframes, at up to 240 frames per second. */
const maxFramesOfGroup = 240 * maxKeyframeSeconds;
/** Maximum of keyframe times in memory, for choosing a thumbnail. */
const maxKeyframes = 2_000;
/**
 * Maximum of frames that are decoded before the first presentation. Matroska has no decoding times, and ffmpeg cannot derive them
 * for these frames.
 */
const maxDelayedFrames = 17;
/** Containers round times to milliseconds, so a constant delay appears to vary by up to this. */
const delayToleranceSeconds = 0.0025;

/** A video packet, in decoding order. Times are in ticks of its stream; NaN if the container has none. */
export interface VideoPacket {
  readonly tick: number;
  readonly decodeTick: number;
  readonly duration: number;
  readonly bytes: number;
  readonly isKeyframe: boolean;
}

/** A segment of the copy. Times are in seconds from the first frame of the content. */
export interface CopySegment {
  readonly startSeconds: number;
  readonly durationSeconds: number;
  readonly frames: number;
}

/** Segments and totals of a video, from its packets. */
export interface VideoIndex {
  readonly segments: readonly CopySegment[];
  readonly durationSeconds: number;
  readonly frames: number;
  readonly bytes: number;
  /** Known after the last packet. */
  readonly pace: FramePace;
  /** Seconds from the first frame. */
  readonly keyframeSeconds: readonly number[];
}

export interface PacketIndex {
  readonly video: VideoIndex;
  /** Null if there is no audio, or if its start or end is unknown. */
  readonly audio: AudioIndex | null;
  /** Time of the first frame in the source. */
  readonly startSeconds: number;
}

/** Properties of a video that are known before its packets are read. */
export interface IndexedVideo {
  /** Seconds per tick. */
  readonly timeBase: number;
  /** The decoding order of the frames differs from their presentation order. */
  readonly isReordered: boolean;
  /** Maximum duration. */
  readonly maxSeconds: number;
}

/**
 * Divides the packets of a video, in decoding order, into segments: each ends at the first keyframe at least
 * `contentSegmentSeconds` after its start. Keeps one group of pictures in memory. `refusal` is the reason why the first unsuitable
 * packet cannot be copied. `closed` contains the complete segments so far.
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
  /** From decoding to presentation, in ticks. */
  #delay = { least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY };

  constructor(private readonly stream: IndexedVideo) {}

  add(packet: VideoPacket): void {
    this.refusal ??= this.#take(packet);
  }

  /** The index, or the reason why the source cannot be copied. */
  finish(): VideoIndex | NotCopied {
    if (this.#frames < 2 && !this.refusal) return { refusal: 'duration' };
    const usual = (this.#lastShown - this.#origin) / Math.max(1, this.#frames - 1);
    const end = this.#lastShown + Math.max(this.#lastDuration, usual);
    this.refusal ??= this.#closeGroup(end) ?? this.#overallRefusal(end);
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
      // A frame is decoded before the keyframe and presented after it, so no segment can begin here.
      if (tick <= this.#lastShown) return 'openGop';
      const refusal = this.#frames === 0 ? null : this.#closeGroup(tick);
      if (refusal) return refusal;
      if ((tick - this.#segment.start) * this.stream.timeBase >= contentSegmentSeconds) this.#closeSegment(tick);
      this.#groupStart = tick;
      const { keyframeSeconds } = this.closed;
      if (keyframeSeconds.length < maxKeyframes) keyframeSeconds.push(this.#seconds(tick));
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

  /** Checks that need all frames. */
  #overallRefusal(end: number): CopyRefusal | null {
    if (this.#seconds(end) > this.stream.maxSeconds) return 'duration';
    const { least, most } = this.#delay;
    // A container with decoding times instead of presentation times would play in the wrong order.
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
