import { singleTrackInitialisation, readMp4Tracks, type Mp4Track } from '../../media/mp4/index.js';
import { audioTimescale, videoTimescale } from './continuousTimes.js';

/**
 * An initialisation segment of one track. With the times of a channel its id and timescale are the same for all sources, so
 * players that keep the first one that they have read place all samples by it. Throws DamagedMediaError.
 */
export function trackInitialisation(init: Buffer, kind: Mp4Track['kind'], times: 'own' | 'channel'): Buffer {
  const changed = singleTrackInitialisation(init, kind);
  const [track] = readMp4Tracks(changed);
  if (!track) return changed;
  if (times === 'channel')
    changed.writeUInt32BE(kind === 'video' ? videoTimescale : audioTimescale, track.positions.timescale);
  return changed;
}
