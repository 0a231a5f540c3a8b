import { planEncoding, withoutCopy, type EncodingPlan } from './encodingPlan.js';
import { observe } from './firstSeconds.js';
import type { InputChange } from './inputWatch.js';
import type { AudioTag, AudioTrack, MediaTag, VideoTag } from './mediaTag.js';

/** The first tag of the changed input, and all tags in memory. */
interface ChangedInput {
  readonly change: InputChange;
  readonly tag: MediaTag;
  readonly tags: readonly MediaTag[];
}

/**
 * The plan with which a run continues after a change of its input. Sizes and frame rate never change, unless the run began without
 * video.
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
      return { ...plan, audio: null, absentUntilMs: tag.timeMs };
    case 'audio began':
      return { ...plan, audio: newestAudio(tags) };
    case 'audio format changed':
      return { ...plan, audio: (tag as AudioTag).track };
    case 'video missing':
      return { ...withoutCopy(plan), video: null, absentUntilMs: tag.timeMs };
    case 'video format changed':
      return { ...withoutCopy(plan), video: (tag as VideoTag).track };
    case 'video began': {
      const shown = tags.filter(({ kind, track }) => kind === 'audio' || track === tag.track);
      const observed = run.hadVideo ? null : observe(shown.slice(shown.findIndex(({ kind }) => kind === 'video')));
      return observed?.video
        ? { ...planEncoding(observed, run.heights), audio: plan.audio }
        : { ...withoutCopy(plan), video: (tag as VideoTag).track };
    }
  }
}

function newestAudio(tags: readonly MediaTag[]): AudioTrack | null {
  return tags.findLast((tag) => tag.kind === 'audio')?.track ?? null;
}
