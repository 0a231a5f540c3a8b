import { planLadder } from '../../shared/content/ladder.js';
import { mediaSecondsOf } from '../../shared/content/mediaSeconds.js';
import type { PlannedRendition } from '../../shared/content/plan.js';
import { secondsOfFrames, type FrameRate } from '../../shared/media/frameRate.js';
import { segmentStart, type Grid } from '../../shared/media/grid.js';
import type { VideoStream } from '../media/index.js';

/** The measurements of a video. */
export interface MeasuredVideo {
  readonly seconds: number;
  readonly framesPerSecond: number;
  /** The frame rate of the encoded video. */
  readonly frameRate: FrameRate;
  /** Bits per second; null if unknown. */
  readonly bits: number | null;
}

/** The full generation of a video. */
export interface PlannedVideo {
  readonly frameCount: number;
  readonly ladder: readonly PlannedRendition[];
  /** A content counts once, with all its renditions, even if its first generation is copied. */
  readonly mediaSeconds: number;
}

/** Plans the full generation of a video. */
export function planVideo(
  { width, height, codec }: Pick<VideoStream, 'width' | 'height' | 'codec'>,
  { seconds, framesPerSecond, frameRate, bits }: MeasuredVideo,
): PlannedVideo {
  const ladder = planLadder({ width, height, codec, bits, framesPerSecond: frameRate[0] / frameRate[1] });
  const frameCount = framesIn(seconds, frameRate);
  const source = { width, height, framesPerSecond };
  return { frameCount, ladder, mediaSeconds: mediaSecondsOf({ frameCount, frameRate, renditions: ladder }, source) };
}

/** Audio that continues for less than this after the last frame is truncated. */
export const audioTailSeconds = 0.25;

/** Number of frames, at least one. A partial last frame counts if it is longer than half a frame, or than `audioTailSeconds`. */
export function framesIn(seconds: number, [rate, scale]: FrameRate): number {
  const frames = (seconds * rate) / scale;
  const begun = Math.min(0.5, (audioTailSeconds * rate) / scale);
  return Math.max(1, Math.floor(frames + 1 - begun));
}

/** Whether the first frame of each segment is a keyframe of the source. `keyframeSeconds`: source times, in order. */
export function hasKeyframesAtSegments(
  grid: Grid,
  { originSeconds, keyframeSeconds }: { readonly originSeconds: number; readonly keyframeSeconds: readonly number[] },
): boolean {
  const tolerance = secondsOfFrames(1, grid.frameRate) / 4;
  let at = 0;
  for (let segment = 0; segment < grid.segmentCount; segment += 1) {
    const start = originSeconds + secondsOfFrames(segmentStart(grid, segment), grid.frameRate);
    while (at < keyframeSeconds.length && (keyframeSeconds[at] as number) < start - tolerance) at += 1;
    if (!((keyframeSeconds[at] ?? Infinity) <= start + tolerance)) return false;
  }
  return true;
}
