import { DamagedMediaError } from '../../../shared/media/mp4/isoBox.js';
import { silentFragment } from '../../../shared/media/mp4/silence.js';
import { singleTrackFragment } from '../../../shared/media/mp4/singleTrack.js';
import { ownTimes, storedFragmentsIn, storedSamples } from '../../../shared/media/mp4/trackSamples.js';
import type { Mp4Track } from '../../../shared/media/mp4/tracks.js';

/**
 * One track of a live segment as a file of its own. Where it has no packet of audio, its audio is silence, in the form in which live
 * processes encode all audio. Empty where no packet begins in it. Throws DamagedMediaError.
 */
export function dividedSegment(
  kind: Mp4Track['kind'],
  segment: Buffer,
  tracks: readonly Mp4Track[],
  durationSeconds: number,
): Buffer[] {
  const fragments = storedFragmentsIn(segment);
  const divided = singleTrackFragment(kind, segment, ownTimes(fragments, tracks, kind));
  if (divided.length > 0) return divided;
  const frames = storedSamples(fragments, tracks, 'video');
  if (frames.length === 0) throw new DamagedMediaError('a segment without video');
  const start = frames.reduce((earliest, { shownAt }) => Math.min(earliest, shownAt), Number.POSITIVE_INFINITY);
  return silentFragment(start, start + durationSeconds);
}
