import type { EncodingPlan } from './encodingPlan.js';
import type { MediaTag } from './mediaTag.js';

/** Tolerance for rounded segment times. */
export const roundingMs = 5;
/** Audio is kept from this time before the keyframe at which decoding starts. */
export const audioLeadMs = 50;

/** The start of an encoding, on the timeline of the run. */
export interface EncodingStart {
  readonly startMs: number;
  /** Time zero of the FLV stream that ffmpeg reads, before all of its media. */
  readonly originMs: number;
  /** Delay from decoding to presentation of the first keyframe; 0 without video. */
  readonly decodingDelayMs: number;
}

export interface FoundStart extends EncodingStart {
  /** Whether ffmpeg needs a tag: media before the start is left out. Called for all tags, in order. */
  isNeeded(this: void, tag: MediaTag): boolean;
}

/**
 * Finds the start of a plan's encoding at `fromMs` in these tags: the keyframe before it, or the next one. Null if there is none;
 * call it again with the tags that arrive later.
 */
export function findStart(plan: EncodingPlan, fromMs: number, tags: readonly MediaTag[]): FoundStart | null {
  return plan.video ? atKeyframe(plan, fromMs, tags) : atAudio(fromMs, tags);
}

function atKeyframe(plan: EncodingPlan, fromMs: number, tags: readonly MediaTag[]): FoundStart | null {
  const isStart = (tag: MediaTag): boolean =>
    tag.kind === 'video' && tag.isKeyframe && tag.epoch === plan.epoch && tag.track === plan.video;
  const before = tags.findLast((tag) => isStart(tag) && tag.presentationMs <= fromMs + roundingMs);
  // A copied rendition can start only at a keyframe, and must not repeat frames.
  const isTooEarly = before && plan.isTopCopied && before.presentationMs < fromMs - roundingMs;
  const keyframe =
    before && !isTooEarly ? before : tags.find((tag) => isStart(tag) && tag.presentationMs >= fromMs - roundingMs);
  if (!keyframe) return null;
  const startMs = plan.isTopCopied ? keyframe.presentationMs : Math.max(fromMs, keyframe.presentationMs);
  const originMs = Math.min(startMs, keyframe.timeMs) - 2 * audioLeadMs;
  const decodingDelayMs = keyframe.presentationMs - keyframe.timeMs;
  return { startMs, originMs, decodingDelayMs, isNeeded: neededFrom(keyframe) };
}

function atAudio(fromMs: number, tags: readonly MediaTag[]): FoundStart | null {
  const isNeeded = (tag: MediaTag): boolean => tag.kind === 'video' || tag.timeMs >= fromMs - audioLeadMs;
  const first = tags.find((tag) => tag.kind === 'audio' && isNeeded(tag));
  if (!first) return null;
  const startMs = Math.max(fromMs, first.timeMs);
  return { startMs, originMs: startMs - 2 * audioLeadMs, decodingDelayMs: 0, isNeeded };
}

/**
 * Returns a filter that drops media before a keyframe: video sent before it, and audio with an earlier time. Audio is sent a little
 * before or after video of the same time.
 */
export function neededFrom(keyframe: MediaTag): (tag: MediaTag) => boolean {
  let isReached = false;
  return (tag) => {
    isReached ||= tag === keyframe;
    return tag.kind === 'video' ? isReached : tag.timeMs >= keyframe.timeMs - audioLeadMs;
  };
}
