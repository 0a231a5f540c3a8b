import { secondsOfFrames } from '../media/frameRate.js';
import type { ContentPlan } from './plan.js';

/** Frames per second of media that count as they are. */
const usualFramesPerSecond = 30;
/** A low or high frame rate counts less or more, within these bounds. */
const [minPace, maxPace] = [0.1, 2];
/** A source with larger frames than 4K, or more than 60 of them a second, takes longer to decode. */
const usualSourcePixels = 3840 * 2160;
const usualSourceFramesPerSecond = 60;

/** The video of a source; null where it has only audio. */
export interface SourceVideo {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
}

/**
 * How much work the processing of a content is, in seconds of one rendition at 30 frames per second. A plan allows a number
 * of them in a month (`docs/contract.md#choices-licenses`).
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
