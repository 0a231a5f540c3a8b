import type { EncodingPlan } from './encodingPlan.js';
import type { MediaTag } from './mediaTag.js';

/** Times of segments are rounded. */
export const roundingMs = 5;
/** Audio is kept from this time before the keyframe that decoding starts at. */
export const audioLeadMs = 50;

/** Where an encoding begins, on the timeline of the run. */
export interface EncodingStart {
  readonly startMs: number;
  /** Time zero of the FLV stream that ffmpeg reads: before all media that it gets. */
  readonly originMs: number;
  /** From decoding to presentation, of the keyframe that it begins with; 0 without video. */
  readonly decodingDelayMs: number;
}

export interface FoundStart extends EncodingStart {
  /** Whether ffmpeg needs a tag: media before the start is left out. To be called for all tags, in their order. */
  isNeeded(this: void, tag: MediaTag): boolean;
}

/**
 * Where the encoding of a plan can go on at `fromMs`, among these tags: with the keyframe before it, or with the next one; null
 * where there is none. While there is none, it is asked again with the tags that have arrived since.
 */
export function findStart(plan: EncodingPlan, fromMs: number, tags: readonly MediaTag[]): FoundStart | null {
  return plan.video ? atKeyframe(plan, fromMs, tags) : atAudio(fromMs, tags);
}

function atKeyframe(plan: EncodingPlan, fromMs: number, tags: readonly MediaTag[]): FoundStart | null {
  const isStart = (tag: MediaTag): boolean =>
    tag.kind === 'video' && tag.isKeyframe && tag.epoch === plan.epoch && tag.track === plan.video;
  const before = tags.findLast((tag) => isStart(tag) && tag.presentationMs <= fromMs + roundingMs);
  // What is copied can only start at a keyframe, and must not be repeated.
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
 * Without the media before a keyframe: the video that was sent before it, and audio of an earlier time. Audio comes a
 * little before or after the video of the same time.
 */
export function neededFrom(keyframe: MediaTag): (tag: MediaTag) => boolean {
  let isReached = false;
  return (tag) => {
    isReached ||= tag === keyframe;
    return tag.kind === 'video' ? isReached : tag.timeMs >= keyframe.timeMs - audioLeadMs;
  };
}
