import type { CopyRefusal } from './copyRefusal.js';

/** A segment ends at the first keyframe that is this much after its start. */
const segmentSeconds = 4;
/**
 * Keyframes further apart make segments that are too long: the first segment must end within the 15 s of a preview. 250 frames
 * are usual, 10.4 s at 24 frames a second.
 */
const longestKeyframeSeconds = 10.9;
/** A frame that is shown for longer is a gap; or a slide, which the encoder repeats. */
const longestFrameSeconds = 1.05;
/** Between the first decoding time and the first presentation time. */
const longestDelaySeconds = 0.9;
/** Of a segment: it is checked in memory. */
const mostSegmentBytes = 64 * 1024 ** 2;
/** Between two keyframes: more than 240 frames a second are not played by anybody. */
const mostFramesOfGroup = 240 * longestKeyframeSeconds;
/** The times of this number of keyframes are kept, for choosing a thumbnail. */
const keptKeyframes = 2_000;
const samplesPerPacket = 1024;
/** Containers round to milliseconds. */
const packetTolerance = { eachSeconds: 0.003, totalSeconds: 0.03 };
/** Where recordings were joined, a packet is earlier or later by up to this. Its time is copied, so video and audio stay in step. */
export const longestAudioGapSeconds = 0.04;
/** At most this share of the packets. */
export const shareOfJoins = 0.02;

/** Frames that are decoded before the first one is shown. Matroska has no decoding times: ffmpeg knows none for these. */
const mostDelayedFrames = 17;

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
  /** Seconds from the first frame. */
  readonly keyframeSeconds: readonly number[];
}

/** What the packets of the audio say. */
export interface AudioIndex {
  /** Time of its first packet in the source. */
  readonly startSeconds: number;
  /** From its first packet to the end of its last one. */
  readonly durationSeconds: number;
  /** Packets of 1024 samples that follow each other, with few short gaps at most. */
  readonly isContinuous: boolean;
}

export interface PacketIndex {
  readonly video: VideoIndex;
  /** Null: there is no audio, or its packets have no timestamps. */
  readonly audio: AudioIndex | null;
  /** Time of the first frame in the source. */
  readonly startSeconds: number;
}

/**
 * Takes the packets of a video in decoding order, and divides them into segments. Keeps one group of pictures in memory. After
 * the first packet that cannot be copied, `refusal` tells why.
 */
export class VideoIndexer {
  refusal: CopyRefusal | null = null;
  readonly #segments: CopySegment[] = [];
  readonly #keyframes: number[] = [];
  #origin = Number.NaN;
  #frames = 0;
  #bytes = 0;
  #lastDecode = Number.NEGATIVE_INFINITY;
  #lastShown = Number.NEGATIVE_INFINITY;
  #lastDuration = 0;
  /** Presentation times since the last keyframe. */
  #group: number[] = [];
  #groupStart = 0;
  #segment = { start: 0, frames: 0, bytes: 0 };

  constructor(private readonly timeBase: number) {}

  add(packet: VideoPacket): void {
    this.refusal ??= this.#take(packet);
  }

  /** The index, or why the source is not copied. */
  finish(): VideoIndex | { readonly refusal: CopyRefusal } {
    if (this.#frames < 2 && !this.refusal) return { refusal: 'duration' };
    const usual = (this.#lastShown - this.#origin) / Math.max(1, this.#frames - 1);
    const longest = longestFrameSeconds / this.timeBase;
    const end = this.#lastShown + Math.min(Math.max(this.#lastDuration, usual), longest);
    this.refusal ??= this.#closeGroup(end);
    if (this.refusal) return { refusal: this.refusal };
    this.#closeSegment(end);
    return {
      segments: this.#segments,
      durationSeconds: this.#seconds(end),
      frames: this.#frames,
      bytes: this.#bytes,
      keyframeSeconds: this.#keyframes,
    };
  }

  #take({ tick, decodeTick, duration, bytes, isKeyframe }: VideoPacket): CopyRefusal | null {
    if (!Number.isFinite(tick) || !this.#isInOrder(tick, decodeTick)) return 'timestamps';
    if (this.#frames === 0) {
      if (!isKeyframe) return 'firstKeyframe';
      if ((tick - decodeTick) * this.timeBase > longestDelaySeconds) return 'timestamps';
      this.#origin = tick;
      this.#segment.start = tick;
    }
    if (isKeyframe) {
      // A frame that is decoded before a keyframe and shown after it: there is no place to cut.
      if (tick <= this.#lastShown) return 'openGop';
      const refusal = this.#frames === 0 ? null : this.#closeGroup(tick);
      if (refusal) return refusal;
      if ((tick - this.#segment.start) * this.timeBase >= segmentSeconds) this.#closeSegment(tick);
      this.#groupStart = tick;
      if (this.#keyframes.length < keptKeyframes) this.#keyframes.push(this.#seconds(tick));
    } else if (tick <= this.#groupStart) return 'openGop';
    this.#group.push(tick);
    this.#frames += 1;
    this.#bytes += bytes;
    this.#segment.frames += 1;
    this.#segment.bytes += bytes;
    if (Number.isFinite(decodeTick)) this.#lastDecode = decodeTick;
    if (tick > this.#lastShown) [this.#lastShown, this.#lastDuration] = [tick, duration || 0];
    if (this.#segment.bytes > mostSegmentBytes) return 'bitRate';
    return this.#group.length > mostFramesOfGroup ? 'keyframeInterval' : null;
  }

  #isInOrder(tick: number, decodeTick: number): boolean {
    if (Number.isFinite(decodeTick)) return decodeTick > this.#lastDecode && decodeTick <= tick;
    return this.#lastDecode === Number.NEGATIVE_INFINITY && this.#frames < mostDelayedFrames;
  }

  /** Checks the frames since the last keyframe; the next one, or the end, is at `end`. */
  #closeGroup(end: number): CopyRefusal | null {
    if ((end - this.#groupStart) * this.timeBase > longestKeyframeSeconds) return 'keyframeInterval';
    const shown = [...this.#group.toSorted((left, right) => left - right), end];
    this.#group = [];
    for (let frame = 1; frame < shown.length; frame += 1) {
      const ticks = (shown[frame] ?? 0) - (shown[frame - 1] ?? 0);
      if (ticks <= 0) return 'timestamps';
      if (ticks * this.timeBase > longestFrameSeconds) return 'gap';
    }
    return null;
  }

  #closeSegment(end: number): void {
    const { start, frames } = this.#segment;
    const durationSeconds = (end - start) * this.timeBase;
    this.#segments.push({ startSeconds: this.#seconds(start), durationSeconds, frames });
    this.#segment = { start: end, frames: 0, bytes: 0 };
  }

  /** Time of the first frame in the source. */
  get startSeconds(): number {
    return this.#origin * this.timeBase;
  }

  #seconds(tick: number): number {
    return (tick - this.#origin) * this.timeBase;
  }
}

/** Takes the presentation times of the packets of the audio. */
export class AudioIndexer {
  #first = Number.NaN;
  #last = Number.NaN;
  #packets = 0;
  #joins = 0;
  #drift = 0;
  #isContinuous = true;

  constructor(private readonly stream: { readonly timeBase: number; readonly sampleRate: number }) {}

  add(tick: number): void {
    const { timeBase } = this.stream;
    const seconds = tick * timeBase;
    const each = this.#packetSeconds;
    if (this.#packets === 0) this.#first = seconds;
    else {
      const late = seconds - this.#last - each;
      if (Math.abs(late) <= packetTolerance.eachSeconds) this.#drift += late;
      else this.#joins += 1;
      const isClose = Math.abs(late) <= longestAudioGapSeconds && seconds > this.#last;
      if (!isClose || Math.abs(this.#drift) > packetTolerance.totalSeconds) this.#isContinuous = false;
    }
    if (!Number.isFinite(seconds)) this.#isContinuous = false;
    this.#last = seconds;
    this.#packets += 1;
  }

  /** Null: it has no packets with timestamps. */
  finish(): AudioIndex | null {
    const durationSeconds = this.#last - this.#first + this.#packetSeconds;
    if (!Number.isFinite(durationSeconds)) return null;
    const isContinuous = this.#isContinuous && this.#joins <= shareOfJoins * this.#packets;
    return { startSeconds: this.#first, durationSeconds, isContinuous };
  }

  get #packetSeconds(): number {
    return samplesPerPacket / Math.max(1, this.stream.sampleRate);
  }
}
