import { audioBits } from '../../../shared/media/audioPackets.js';
import type { EncodingPlan } from './encodingPlan.js';
import type { LiveLadderStep } from './liveLadder.js';

/** What the rate control may take in advance: a second of the highest bit rate (`-bufsize`). */
export const bufferSeconds = 1;
/** A segment of AAC may have more than the average. */
const audioShare = 1.2;
/** Boxes of the container: those of four fragments, and up to 16 bytes for each frame and each packet of audio. */
const containerBits = { perFrame: 16 * 8, perSecond: 12_000 };
/** Later seconds of a source whose video is copied may have more than its first ones. */
const copiedShare = 1.25;

/**
 * The bits per second that no segment of a rendition exceeds, with audio and container. Of a copied one it is an estimate by
 * the busiest second of the first ones: nobody limits its encoder.
 */
export function peakBandwidthOf(plan: EncodingPlan, { maxBits }: LiveLadderStep, isCopy: boolean): number {
  const { segmentSeconds, frameRate, peakBits } = plan;
  const encoded = (maxBits * (segmentSeconds + bufferSeconds)) / segmentSeconds;
  const video = isCopy ? Math.max(peakBits * copiedShare, maxBits) : encoded;
  const container = (containerBits.perFrame * frameRate[0]) / frameRate[1] + containerBits.perSecond;
  return Math.ceil(video + audioBits * audioShare + container);
}
