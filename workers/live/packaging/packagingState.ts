import { stalledMs, type ArrivedMedia, type EncodingProgress } from './progress.js';
import type { Encoder, EncoderEvent } from './encoder.js';
import type { EncodingPlan } from './encodingPlan.js';
import type { EncodingStart } from './encodingStart.js';
import type { InputChange, InputWatch } from './inputWatch.js';
import type { MediaTag } from './mediaTag.js';

/* The states of a run and the events of their transitions. Diagram: docs/decisions/live.md#the-states-of-a-run. */

/** One ffmpeg process in a run. */
export interface Encoding {
  /** Number within the run, from 0. */
  readonly number: number;
  readonly plan: EncodingPlan;
  readonly start: EncodingStart;
  readonly encoder: Encoder;
  readonly inputWatch: InputWatch;
  readonly progress: EncodingProgress;
  /** End of the last complete segment, on the timeline of the run. The next encoding continues here. */
  endMs: number;
}

/** Why an encoding ends. */
export type EncodingEnd =
  | { readonly kind: 'finished' }
  | { readonly kind: 'changed'; readonly change: InputChange; readonly tag: MediaTag }
  | { readonly kind: 'behind' }
  | { readonly kind: 'misaligned' | 'failed'; readonly detail: string };

export type PackagingState =
  /** Too little media has arrived for a plan. */
  | { readonly name: 'OBSERVING' }
  /** Waits for media with which the plan can begin. */
  | { readonly name: 'SEEKING'; readonly plan: EncodingPlan; readonly fromMs: number }
  /** Waits for its slot to start ffmpeg. */
  | { readonly name: 'STARTING'; readonly plan: EncodingPlan; readonly start: EncodingStart }
  | { readonly name: 'ENCODING'; readonly encoding: Encoding }
  /** The input has ended, and ffmpeg encodes the rest. Segments after `completeUntilMs` lack a track. */
  | {
      readonly name: 'FINISHING';
      readonly encoding: Encoding;
      readonly end: EncodingEnd;
      readonly completeUntilMs: number;
    }
  /** ffmpeg is being killed. Its further output is discarded. */
  | { readonly name: 'STOPPING'; readonly encoding: Encoding; readonly end: EncodingEnd }
  /** Null: the source has ended. */
  | { readonly name: 'ENDED'; readonly reason: string | null };

export type PackagingEvent =
  | EncoderEvent
  /** Media has arrived. `bytes`: its size as FLV. */
  | { readonly kind: 'media'; readonly tags: readonly MediaTag[]; readonly bytes: number }
  | { readonly kind: 'sourceEnded'; readonly reason: string }
  /** The slot to start ffmpeg is free. */
  | { readonly kind: 'startAllowed' }
  /** Sent every `checkEveryMs`. */
  | { readonly kind: 'tick' }
  /** The lease is lost, the process ends, or a segment cannot be stored. */
  | { readonly kind: 'stopped' };

/** Why ffmpeg must be replaced now. Null if it keeps up, or if it waits because the storage accepts no segments. */
export function faultOf(progress: EncodingProgress, arrived: ArrivedMedia, isOutputOpen: boolean): EncodingEnd | null {
  const now = performance.now();
  if (!isOutputOpen) {
    progress.wait(now);
    return null;
  }
  const fault = progress.check(arrived, now);
  if (fault === 'stalled') return { kind: 'failed', detail: `ffmpeg has written nothing for ${stalledMs / 1000} s` };
  return fault && { kind: fault };
}
