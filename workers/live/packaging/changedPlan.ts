import { planEncoding, withoutCopy, type EncodingPlan } from './encodingPlan.js';
import { observe } from './firstSeconds.js';
import type { InputChange } from './inputWatch.js';
import type { AudioTag, MediaTag, VideoTag } from './mediaTag.js';

/** The first media of the changed input, and all that is in memory. */
interface ChangedInput {
  readonly change: InputChange;
  readonly tag: MediaTag;
  readonly tags: readonly MediaTag[];
}

/**
 * The plan with which a run goes on after its input has changed. Sizes and frame rate stay those that the run has begun
 * with, except where it has begun without video.
 */
export function changedPlan(
  plan: EncodingPlan,
  { change, tag, tags }: ChangedInput,
  run: { readonly hadVideo: boolean; readonly heights: readonly number[] },
): EncodingPlan {
  switch (change) {
    case 'timestamps jumped':
      return { ...plan, epoch: tag.epoch };
    case 'keyframe missing':
      return withoutCopy(plan);
    case 'audio missing':
      return { ...plan, audio: null };
    case 'audio began':
    case 'audio format changed':
      return { ...plan, audio: (tag as AudioTag).track };
    case 'video missing':
      return { ...withoutCopy(plan), video: null };
    case 'video format changed':
      return { ...withoutCopy(plan), video: (tag as VideoTag).track };
    case 'video began': {
      const observed = run.hadVideo ? null : observe(tags);
      return observed?.video
        ? { ...planEncoding(observed, run.heights), audio: plan.audio }
        : { ...withoutCopy(plan), video: (tag as VideoTag).track };
    }
  }
}
