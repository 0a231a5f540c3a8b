import Queue from 'yocto-queue';
import type { EncodingPlan } from './encodingPlan.js';
import { audioLeadMs, findStart, neededFrom, roundingMs, type EncodingStart } from './encodingStart.js';
import { Gate } from './eventQueue.js';
import { ObservedSpan } from './firstSeconds.js';
import type { MediaTag } from './mediaTag.js';

/** Maximum of media that waits for ffmpeg, before the encoder has to wait. */
const waitingLimitBytes = 24 * 1024 ** 2;
/** Maximum of media that ffmpeg has read, kept for the next process. */
const fedLimitBytes = 48 * 1024 ** 2;

/**
 * The media of a run that is not yet stored: media that waits for ffmpeg, and media that ffmpeg has read since the last keyframe
 * before the end of the last complete segment, where another process can continue. All memory of a tag counts, and tags pass in
 * constant time, because an encoder may send thousands of them per second.
 */
export class TagWindow {
  #fed = new TagQueue();
  #waiting = new TagQueue();
  readonly #observed = new ObservedSpan();
  /** Tags since the last search for a start; null if a start was found. */
  #unsearched: MediaTag[] | null = null;
  #newestMs = 0;

  push(tags: readonly MediaTag[]): void {
    for (const tag of tags) {
      this.#waiting.add(tag);
      this.#unsearched?.push(tag);
      this.#observed.add(tag);
      this.#newestMs = Math.max(this.#newestMs, tag.timeMs);
    }
  }

  /** Whether media waits for ffmpeg. */
  get isWaiting(): boolean {
    return this.#waiting.first !== undefined;
  }

  get isFull(): boolean {
    return this.#waiting.bytes > waitingLimitBytes;
  }

  get newestMs(): number {
    return this.#newestMs;
  }

  /** Whether the media suffices for an encoding plan. */
  get hasObservedEnough(): boolean {
    return this.#observed.isEnough;
  }

  /** All media that is in memory, in the order of arrival. */
  get tags(): readonly MediaTag[] {
    return [...this.#fed.tags, ...this.#waiting.tags];
  }

  /** The next tag for ffmpeg, without removing it. */
  peek(): MediaTag | undefined {
    return this.#waiting.first;
  }

  /** Removes the tag that `peek` has returned. */
  take(): void {
    const tag = this.#waiting.shift();
    if (!tag) return;
    this.#fed.add(tag);
    while (this.#fed.bytes > fedLimitBytes) this.#fed.shift();
  }

  /** Queues all media in memory that this plan can use again; then `findStart` finds the start. */
  rewind(plan: EncodingPlan): void {
    const isCurrent = (tag: MediaTag): boolean => tag.epoch === plan.epoch && isOfPlan(tag, plan);
    this.#waiting = new TagQueue([...[...this.#fed.tags].filter(isCurrent), ...this.#waiting.tags]);
    this.#fed = new TagQueue();
    this.#unsearched = [...this.#waiting.tags];
  }

  /**
   * Drops the waiting media before the start of an encoding at `fromMs`: the keyframe before it, or the next one. Null if there is
   * no start yet; call it again when more media has arrived.
   */
  findStart(plan: EncodingPlan, fromMs: number): EncodingStart | null {
    const start = findStart(plan, fromMs, this.#unsearched ?? []);
    this.#unsearched = start ? null : [];
    if (start) this.#waiting = new TagQueue([...this.#waiting.tags].filter(start.isNeeded));
    return start;
  }

  /** Drops media that is not needed to continue at `endMs`. */
  release(endMs: number): void {
    const tags = [...this.#fed.tags];
    const keyframe = tags.findLast(
      (tag) => tag.kind === 'video' && tag.isKeyframe && tag.presentationMs <= endMs + roundingMs,
    );
    const isNeeded = keyframe
      ? neededFrom(keyframe)
      : (tag: MediaTag): boolean => tag.kind === 'video' || tag.timeMs >= endMs - audioLeadMs;
    this.#fed = new TagQueue(tags.filter(isNeeded));
  }
}

/** Media of a track that the plan does not use is kept, because the next plan may use it. */
function isOfPlan(tag: MediaTag, plan: EncodingPlan): boolean {
  const track = tag.kind === 'video' ? plan.video : plan.audio;
  return track === null || tag.track === track;
}

/** Closes its gate while the window is full: the source is not read. */
export class Intake {
  readonly gate = new Gate();
  #open: (() => void) | null = null;

  constructor(private readonly window: { readonly isFull: boolean }) {}

  /** Called after each change of the window. */
  regulate(): void {
    if (this.window.isFull) this.#open ??= this.gate.close();
    else this.open();
  }

  open(): void {
    this.#open?.();
    this.#open = null;
  }
}

/** A queue of tags that counts their memory. Removes the first tag in constant time, unlike a large array. */
class TagQueue {
  readonly #queue = new Queue<MediaTag>();
  #bytes = 0;

  constructor(tags: Iterable<MediaTag> = []) {
    for (const tag of tags) this.add(tag);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get first(): MediaTag | undefined {
    return this.#queue.peek();
  }

  /** In insertion order. */
  get tags(): Iterable<MediaTag> {
    return this.#queue;
  }

  add(tag: MediaTag): void {
    this.#queue.enqueue(tag);
    this.#bytes += tag.bytes;
  }

  shift(): MediaTag | undefined {
    const tag = this.#queue.dequeue();
    this.#bytes -= tag?.bytes ?? 0;
    return tag;
  }
}
