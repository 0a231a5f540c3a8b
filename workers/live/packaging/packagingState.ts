import { stalledMs, type ArrivedMedia, type EncodingProgress } from './progress.js';
import type { Encoder, EncoderEvent } from './encoder.js';
import type { EncodingPlan } from './encodingPlan.js';
import type { EncodingStart } from './encodingStart.js';
import type { InputChange, InputWatch } from './inputWatch.js';
import type { MediaTag } from './mediaTag.js';

/*
 * The states of a run, and what moves it from one to the next. Picture: docs/decisions/live.md#the-states-of-a-run.
 */

/** One ffmpeg process in a run. */
export interface Encoding {
  /** Counts those of the run from 0. */
  readonly number: number;
  readonly plan: EncodingPlan;
  readonly start: EncodingStart;
  readonly encoder: Encoder;
  readonly inputWatch: InputWatch;
  readonly progress: EncodingProgress;
  /** Up to here its segments are complete, on the timeline of the run. The next encoding goes on here. */
  endMs: number;
}

/** Why an encoding ends. */
export type EncodingEnd =
  | { readonly kind: 'finished' }
  | { readonly kind: 'changed'; readonly change: InputChange; readonly tag: MediaTag }
  | { readonly kind: 'behind' }
  | { readonly kind: 'misaligned' | 'failed'; readonly detail: string };

export type PackagingState =
  /** Too little media has arrived to decide anything. */
  | { readonly name: 'OBSERVING' }
  /** Waits for media that the plan can begin with. */
  | { readonly name: 'SEEKING'; readonly plan: EncodingPlan; readonly fromMs: number }
  /** Waits for its turn to start ffmpeg. */
  | { readonly name: 'STARTING'; readonly plan: EncodingPlan; readonly start: EncodingStart }
  | { readonly name: 'ENCODING'; readonly encoding: Encoding }
  /** ffmpeg gets nothing more, and encodes the rest. Segments behind `completeUntilMs` lack a track. */
  | {
      readonly name: 'FINISHING';
      readonly encoding: Encoding;
      readonly end: EncodingEnd;
      readonly completeUntilMs: number;
    }
  /** ffmpeg is killed. What it still writes is not used. */
  | { readonly name: 'STOPPING'; readonly encoding: Encoding; readonly end: EncodingEnd }
  /** Null: with its source. */
  | { readonly name: 'ENDED'; readonly reason: string | null };

export type PackagingEvent =
  | EncoderEvent
  /** Media has arrived, in so many bytes of FLV. */
  | { readonly kind: 'media'; readonly tags: readonly MediaTag[]; readonly bytes: number }
  | { readonly kind: 'sourceEnded'; readonly reason: string }
  /** ffmpeg may be started. */
  | { readonly kind: 'turn' }
  /** Some time has passed. */
  | { readonly kind: 'tick' }
  /** The lease is lost, the process ends, or a segment cannot be stored. */
  | { readonly kind: 'stopped' };

/** Why ffmpeg is to be replaced now. Null if it keeps up, or waits because the storage takes no segments. */
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
