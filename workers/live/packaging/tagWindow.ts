import type { EncodingPlan } from './encodingPlan.js';
import type { MediaTag, VideoTag } from './mediaTag.js';

/** Media that waits for ffmpeg. Then the encoder has to wait too. */
const waitingLimitBytes = 24 * 1024 ** 2;
/** Media that ffmpeg has read, kept for a process that goes on after it. */
const fedLimitBytes = 48 * 1024 ** 2;
/** Times of segments are rounded. */
const roundingMs = 5;
/** Audio is kept from this time before the keyframe that decoding starts at. */
const audioLeadMs = 50;

/** Where an encoding begins, on the timeline of the run. */
export interface EncodingStart {
  readonly startMs: number;
  /** Time zero of the FLV stream that ffmpeg reads: before all media that it gets. */
  readonly originMs: number;
}

/**
 * The media of a run that is not stored yet: what waits for ffmpeg, and what ffmpeg has read since the last keyframe
 * before the end of the last complete segment. So another process can go on exactly there.
 */
export class TagWindow {
  #fed: MediaTag[] = [];
  #fedBytes = 0;
  #waiting: MediaTag[] = [];
  #waitingBytes = 0;
  #isEnded = false;
  #newestMs = 0;
  #wakeUps: (() => void)[] = [];

  push(tags: readonly MediaTag[]): void {
    for (const tag of tags) {
      this.#waiting.push(tag);
      this.#waitingBytes += tag.payload.length;
      this.#newestMs = Math.max(this.#newestMs, tag.timeMs);
    }
    this.wake();
  }

  /** The source has ended. */
  end(): void {
    this.#isEnded = true;
    this.wake();
  }

  /** Nothing more will come, and nothing waits. */
  get isExhausted(): boolean {
    return this.#isEnded && this.#waiting.length === 0;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get isFull(): boolean {
    return this.#waitingBytes > waitingLimitBytes;
  }

  get newestMs(): number {
    return this.#newestMs;
  }

  /** All media that is in memory, in the order of arrival. */
  get tags(): readonly MediaTag[] {
    return [...this.#fed, ...this.#waiting];
  }

  /** Resolves at the next change. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#wakeUps.push(resolve));
  }

  /** The next tag for ffmpeg, without taking it. */
  peek(): MediaTag | undefined {
    return this.#waiting[0];
  }

  /** Takes the tag that `peek` has returned. */
  take(): void {
    const tag = this.#waiting.shift();
    if (!tag) return;
    this.#waitingBytes -= tag.payload.length;
    this.#fedBytes += tag.payload.length;
    this.#fed.push(tag);
    while (this.#fedBytes > fedLimitBytes) this.#fedBytes -= this.#fed.shift()?.payload.length ?? 0;
    this.wake();
  }

  /**
   * Makes the media from `fromMs` on the next to be taken, beginning with the keyframe before it. Where there is none,
   * the encoding starts at the next keyframe. Null where the source has nothing to start with; it waits for it.
   */
  async rewind(plan: EncodingPlan, fromMs: number): Promise<EncodingStart | null> {
    const isCurrent = (tag: MediaTag): boolean => tag.epoch === plan.epoch && isOfPlan(tag, plan);
    this.#waiting = [...this.#fed.filter(isCurrent), ...this.#waiting];
    this.#fed = [];
    this.#fedBytes = 0;
    for (;;) {
      const start = plan.video ? this.#startAtKeyframe(plan, fromMs) : this.#startAtAudio(fromMs);
      this.#waitingBytes = this.#waiting.reduce((sum, { payload }) => sum + payload.length, 0);
      if (start || this.#isEnded) return start;
      await this.changed();
    }
  }

  #startAtKeyframe(plan: EncodingPlan, fromMs: number): EncodingStart | null {
    const isStart = (tag: MediaTag): tag is VideoTag =>
      tag.kind === 'video' && tag.isKeyframe && tag.epoch === plan.epoch && tag.track === plan.video;
    const before = this.#waiting.findLast((tag) => isStart(tag) && tag.presentationMs <= fromMs + roundingMs);
    // What is copied can only start at a keyframe, and must not be repeated.
    const isTooEarly = before && plan.isTopCopied && before.presentationMs < fromMs - roundingMs;
    const keyframe =
      before && !isTooEarly
        ? before
        : this.#waiting.find((tag) => isStart(tag) && tag.presentationMs >= fromMs - roundingMs);
    if (!keyframe) return null;
    this.#waiting = after(this.#waiting, keyframe);
    const startMs = plan.isTopCopied ? keyframe.presentationMs : Math.max(fromMs, keyframe.presentationMs);
    return { startMs, originMs: Math.min(startMs, keyframe.timeMs) - 2 * audioLeadMs };
  }

  #startAtAudio(fromMs: number): EncodingStart | null {
    this.#waiting = this.#waiting.filter((tag) => tag.kind === 'video' || tag.timeMs >= fromMs - audioLeadMs);
    const first = this.#waiting.find(({ kind }) => kind === 'audio');
    if (!first) return null;
    const startMs = Math.max(fromMs, first.timeMs);
    return { startMs, originMs: startMs - 2 * audioLeadMs };
  }

  /** Forgets what is not needed to go on at `endMs`. */
  release(endMs: number): void {
    const keyframe = this.#fed.findLast(
      (tag) => tag.kind === 'video' && tag.isKeyframe && tag.presentationMs <= endMs + roundingMs,
    );
    this.#fed = keyframe
      ? after(this.#fed, keyframe)
      : this.#fed.filter((tag) => tag.kind === 'video' || tag.timeMs >= endMs - audioLeadMs);
    this.#fedBytes = this.#fed.reduce((sum, { payload }) => sum + payload.length, 0);
  }

  /** Resolves what `changed` has returned. */
  wake(): void {
    const wakeUps = this.#wakeUps;
    this.#wakeUps = [];
    for (const wakeUp of wakeUps) wakeUp();
  }
}

/** Without the media before a keyframe: the video that was sent before it, and audio of an earlier time. Audio comes a little before or after the video of the same time. */
function after(tags: readonly MediaTag[], keyframe: MediaTag): MediaTag[] {
  const position = tags.indexOf(keyframe);
  return tags.filter((tag, index) =>
    tag.kind === 'video' ? index >= position : tag.timeMs >= keyframe.timeMs - audioLeadMs,
  );
}

/** Media of a track that the plan does not use is kept as well: it may become the track of the next plan. */
function isOfPlan(tag: MediaTag, plan: EncodingPlan): boolean {
  const track = tag.kind === 'video' ? plan.video : plan.audio;
  return track === null || tag.track === track;
}
