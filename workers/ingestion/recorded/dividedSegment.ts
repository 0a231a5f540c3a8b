import { hideClosedCaptions } from '../../../shared/media/closedCaptions/index.js';
import {
  DamagedMediaError,
  silentFragment,
  singleTrackFragment,
  ownTimes,
  storedFragmentsIn,
  storedSamples,
  type TimedSample,
  type Mp4Track,
} from '../../../shared/media/mp4/index.js';

/** Bytes of the length field before each NAL unit, as ffmpeg writes it. */
const lengthBytes = 4;

/**
 * One track of a live segment as a separate file; empty if no packet of the track begins in the segment. Hides closed captions in
 * place, because the recording has them as captions. A segment without audio gets silence, with the parameters of all live audio.
 * Throws DamagedMediaError.
 */
export function dividedSegment(
  kind: Mp4Track['kind'],
  segment: Buffer,
  tracks: readonly Mp4Track[],
  durationSeconds: number,
): Buffer[] {
  const fragments = storedFragmentsIn(segment);
  const samples = ownTimes(fragments, tracks, kind);
  if (kind === 'video') hideCaptions(segment, samples);
  const divided = singleTrackFragment(kind, segment, samples);
  if (divided.length > 0) return divided;
  const frames = storedSamples(fragments, tracks, 'video');
  if (frames.length === 0) throw new DamagedMediaError('a segment without video');
  const start = frames.reduce((earliest, { shownAt }) => Math.min(earliest, shownAt), Number.POSITIVE_INFINITY);
  return silentFragment(start, start + durationSeconds);
}

function hideCaptions(segment: Buffer, samples: readonly TimedSample[]): void {
  for (const { position, bytes } of samples)
    if (position >= 0) hideClosedCaptions(segment.subarray(position, position + bytes), lengthBytes);
}
