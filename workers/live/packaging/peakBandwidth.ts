import { audioBits } from '../../../shared/media/audioPackets.js';
import type { EncodingPlan } from './encodingPlan.js';
import type { LiveLadderStep } from './liveLadder.js';

/** Buffer of the rate control: a second of the maximum bit rate (`-bufsize`). */
export const bufferSeconds = 1;
/** A segment of AAC may exceed the average bit rate. */
const audioShare = 1.2;
/** Container overhead: the boxes of four fragments, and up to 16 bytes for each frame and audio packet. */
const containerBits = { perFrame: 16 * 8, perSecond: 12_000 };
/** Later seconds of copied video may exceed the first ones. */
const copiedShare = 1.25;

/**
 * Maximum bits per second of a rendition's segments, including audio and container. For a copied rendition, it is an estimate from
 * the busiest of the first seconds, because its encoder has no known limit.
 */
export function peakBandwidthOf(plan: EncodingPlan, { maxBits }: LiveLadderStep, isCopy: boolean): number {
  const { segmentSeconds, frameRate, peakBits } = plan;
  const encoded = (maxBits * (segmentSeconds + bufferSeconds)) / segmentSeconds;
  const video = isCopy ? Math.max(peakBits * copiedShare, maxBits) : encoded;
  const container = (containerBits.perFrame * frameRate[0]) / frameRate[1] + containerBits.perSecond;
  return Math.ceil(video + audioBits * audioShare + container);
}
