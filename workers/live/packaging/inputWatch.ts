import type { EncodingPlan } from './encodingPlan.js';
import { absentAfterMs } from './firstSeconds.js';
import type { MediaTag } from './mediaTag.js';

/** Why ffmpeg cannot continue with this input or plan. */
export const inputChanges = [
  'timestamps jumped',
  'video format changed',
  'audio format changed',
  'keyframe missing',
  'video missing',
  'audio missing',
  'video began',
  'audio began',
] as const;

export type InputChange = (typeof inputChanges)[number];

/** A replaced track is used again after it has been present for this time. */
const presentAfterMs = { video: 1_000, audio: 400 } as const;

/**
 * Compares the next tag with the plan. A change is detected before ffmpeg reads its first tag, so each process reads one format
 * only, and copied segments always begin at a keyframe of the grid.
 */
export class InputWatch {
  readonly #last: Record<'video' | 'audio', number>;
  #returnedMs: number | null = null;
  #latestShownMs: number;
  /** Decoding time of the first keyframe of the segment in progress. */
  #gridMs: number | null = null;

  constructor(
    private readonly plan: EncodingPlan,
    private readonly startMs: number,
  ) {
    this.#last = { video: startMs, audio: startMs };
    this.#latestShownMs = startMs;
  }

  /** Null if ffmpeg can read the tag. */
  check(tag: MediaTag): InputChange | null {
    const { plan } = this;
    if (tag.epoch !== plan.epoch) return 'timestamps jumped';
    const track = plan[tag.kind];
    if (track !== null && tag.track !== track) return `${tag.kind} format changed`;
    const other = tag.kind === 'video' ? 'audio' : 'video';
    if (track === null) return this.#hasReturned(tag) ? `${tag.kind} began` : null;
    if (plan[other] === null && this.#isReturnDue(tag)) return `${other} began`;
    this.#last[tag.kind] = Math.max(this.#last[tag.kind], tag.timeMs);
    if (tag.kind === 'video') this.#latestShownMs = Math.max(this.#latestShownMs, tag.presentationMs);
    if (plan[other] !== null && tag.timeMs - this.#last[other] > absentAfterMs) return `${other} missing`;
    return plan.isTopCopied && this.#isOffGrid(tag) ? 'keyframe missing' : null;
  }

  /**
   * Time of the run until which both tracks have media, and from which the next encoding continues. With a copied rendition, it can
   * continue only at a keyframe of the grid.
   */
  completeUntil(change: InputChange): number {
    if (change === 'audio missing') return this.#last.audio;
    if (change === 'video missing') return this.#last.video;
    const isMidway = change === 'audio format changed' && this.plan.isTopCopied;
    return isMidway ? this.#last.audio : Number.POSITIVE_INFINITY;
  }

  /** Video that returns is used at once; audio that returns is used from the next segment on. */
  #hasReturned(tag: MediaTag): boolean {
    if (tag.timeMs <= this.plan.absentUntilMs) return false;
    if (this.#returnedMs === null || tag.timeMs - this.#last[tag.kind] > absentAfterMs) this.#returnedMs = tag.timeMs;
    this.#last[tag.kind] = tag.timeMs;
    return tag.kind === 'video' && tag.timeMs - this.#returnedMs >= presentAfterMs.video;
  }

  #isReturnDue(tag: MediaTag): boolean {
    if (this.#returnedMs === null || tag.kind === 'audio') return false;
    if (this.#last.audio - this.#returnedMs < presentAfterMs.audio) return false;
    if (this.plan.isTopCopied) return tag.isRefresh && this.#isDue(tag);
    const segmentMs = this.plan.segmentSeconds * 1000;
    const segmentAt = (timeMs: number): number => Math.floor((timeMs - this.startMs + 1) / segmentMs);
    return segmentAt(tag.presentationMs) > segmentAt(this.#latestShownMs);
  }

  /** A copied rendition needs a keyframe of the encoder at each segment start. */
  #isOffGrid(tag: MediaTag): boolean {
    if (tag.kind === 'audio') return false;
    const lateMs = this.#gridMs === null ? 0 : tag.timeMs - this.#gridMs - this.plan.segmentSeconds * 1000;
    if (lateMs < -this.#halfFrameMs) return false;
    this.#gridMs = tag.timeMs;
    return !tag.isRefresh || lateMs > this.#halfFrameMs;
  }

  /** Whether a segment begins with this frame. */
  #isDue(tag: MediaTag): boolean {
    return this.#gridMs !== null && tag.timeMs >= this.#gridMs + this.plan.segmentSeconds * 1000 - this.#halfFrameMs;
  }

  get #halfFrameMs(): number {
    return (this.plan.frameRate[1] / this.plan.frameRate[0]) * 500;
  }
}
