import { secondsOfFrames } from '../media/frameRate.js';
import type { ContentPlan } from './plan.js';

/** Frame rate at which a media second counts as one second. */
const usualFramesPerSecond = 30;
/** Bounds of the factor for lower or higher frame rates. */
const [minPace, maxPace] = [0.1, 2];
/** Decoding takes longer for frames above 4K or more than 60 frames per second. */
const usualSourcePixels = 3840 * 2160;
const usualSourceFramesPerSecond = 60;

/** The video of a source; null if it has only audio. */
export interface SourceVideo {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
}

/**
 * The processing work of a content, in seconds of one rendition at 30 frames per second. A license plan limits them per month
 * (`docs/contract.md#choices-licenses`).
 */
export function mediaSecondsOf(
  { frameCount, frameRate, renditions }: Pick<ContentPlan, 'frameCount' | 'frameRate' | 'renditions'>,
  source: SourceVideo | null,
): number {
  const [rate, scale] = frameRate;
  const pace = Math.min(maxPace, Math.max(minPace, rate / scale / usualFramesPerSecond));
  const decoding = source
    ? Math.max(1, (source.width * source.height) / usualSourcePixels) *
      Math.max(1, source.framesPerSecond / usualSourceFramesPerSecond)
    : 1;
  return Math.ceil(secondsOfFrames(frameCount, frameRate) * renditions.length * pace * decoding);
}
