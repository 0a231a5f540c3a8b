import { framesPerKeyframe } from '../../../shared/media/grid.js';
import { secondsOfFrames, type FrameRate } from '../../../shared/media/frameRate.js';
import type { Observation } from './firstSeconds.js';
import { planLiveLadder, type LiveLadderStep } from './liveLadder.js';
import type { AudioTrack, VideoTrack } from './mediaTag.js';
import { still } from './replacement.js';

/**
 * The task of one ffmpeg process of a run. A process has one input format: after a change of the source's format, another process
 * continues.
 */
export interface EncodingPlan {
  /** Null: a still image replaces the video. */
  readonly video: VideoTrack | null;
  /** Null: silence replaces the audio. */
  readonly audio: AudioTrack | null;
  /** Media of a replaced track up to this time of the run does not count as its return. */
  readonly absentUntilMs: number;
  readonly epoch: number;
  /** Highest first. */
  readonly steps: readonly LiveLadderStep[];
  /** The first step is the video of the encoder, copied without encoding. */
  readonly isTopCopied: boolean;
  /** Peak bit rate of the source's video, which the playlist declares for a copied step. */
  readonly peakBits: number;
  readonly frameRate: FrameRate;
  readonly segmentSeconds: number;
}

/** Frame rate of a still image. */
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

/** The plan without its costliest step; null if no step would remain. */
export function withoutCostliest(plan: EncodingPlan): EncodingPlan | null {
  const costliest = plan.steps[plan.isTopCopied ? 1 : 0];
  const steps = plan.steps.filter((step) => step !== costliest);
  return costliest && steps.length > 0 ? { ...plan, steps } : null;
}

function encodedSeconds(frameRate: FrameRate): number {
  return secondsOfFrames(framesPerKeyframe(frameRate), frameRate);
}

/** Every player decodes 8-bit H.264 in 4:2:0. Other pixel formats, interlaced video and other sizes are encoded. */
function canBeCopied({ avc }: VideoTrack, top: LiveLadderStep | undefined): boolean {
  const isUsual = avc.isPlain && avc.isProgressive && avc.pixelAspect === 1 && avc.hasOneParameterSet;
  return isUsual && avc.width === top?.width && avc.height === top.height;
}
