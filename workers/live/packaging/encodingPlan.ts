import { framesPerKeyframe } from '../../../shared/media/grid.js';
import { secondsOfFrames, type FrameRate } from '../../../shared/media/frameRate.js';
import type { Observation } from './firstSeconds.js';
import { planLiveLadder, type LiveLadderStep } from './liveLadder.js';
import type { AudioTrack, VideoTrack } from './mediaTag.js';
import { still } from './replacement.js';

/** What one ffmpeg process of a run does. Its input never changes: where the source does, another process goes on. */
export interface EncodingPlan {
  /** Null: a still picture. */
  readonly video: VideoTrack | null;
  /** Null: silence. */
  readonly audio: AudioTrack | null;
  /** Media of a replaced track up to this time of the run is of the past: the track has not come back. */
  readonly absentUntilMs: number;
  readonly epoch: number;
  /** Highest first. */
  readonly steps: readonly LiveLadderStep[];
  /** The first step is the encoder's own video, not encoded again. */
  readonly isTopCopied: boolean;
  /** Of the video of the source; what the playlist says of a step that is copied. */
  readonly peakBits: number;
  readonly frameRate: FrameRate;
  readonly segmentSeconds: number;
}

/** Pictures per second of a still picture. */
const stillImageFrameRate: FrameRate = [25, 1];

/** The plan that a run starts with. */
export function planEncoding(observed: Observation, heights: readonly number[]): EncodingPlan {
  const { epoch, audio, video } = observed;
  if (!video) {
    const size = { width: still.width, height: still.height, framesPerSecond: 25 };
    const plan = { epoch, audio, video: null, absentUntilMs: 0, isTopCopied: false, peakBits: 0 };
    return {
      ...plan,
      steps: planLiveLadder(size, heights),
      frameRate: stillImageFrameRate,
      segmentSeconds: encodedSeconds(stillImageFrameRate),
    };
  }
  const { frameRate, gridSeconds, track, peakBits } = video;
  const steps = planLiveLadder({ ...video, framesPerSecond: frameRate[0] / frameRate[1] }, heights);
  const isTopCopied = gridSeconds !== null && canBeCopied(track, steps[0]);
  const segmentSeconds = isTopCopied ? gridSeconds : encodedSeconds(frameRate);
  return { epoch, audio, video: track, absentUntilMs: 0, steps, isTopCopied, peakBits, frameRate, segmentSeconds };
}

/** The same plan with every step encoded. */
export function withoutCopy(plan: EncodingPlan): EncodingPlan {
  return { ...plan, isTopCopied: false, segmentSeconds: encodedSeconds(plan.frameRate) };
}

/** The plan without the step that costs most to encode; null where nothing could be left. */
export function withoutCostliest(plan: EncodingPlan): EncodingPlan | null {
  const costliest = plan.steps[plan.isTopCopied ? 1 : 0];
  const steps = plan.steps.filter((step) => step !== costliest);
  return costliest && steps.length > 0 ? { ...plan, steps } : null;
}

function encodedSeconds(frameRate: FrameRate): number {
  return secondsOfFrames(framesPerKeyframe(frameRate), frameRate);
}

/** Every player decodes H.264 of 8 bits in 4:2:0. Other pixels, fields and sizes are encoded. */
function canBeCopied({ avc }: VideoTrack, top: LiveLadderStep | undefined): boolean {
  const isUsual = avc.isPlain && avc.isProgressive && avc.pixelAspect === 1 && avc.hasOneParameterSet;
  return isUsual && avc.width === top?.width && avc.height === top.height;
}
