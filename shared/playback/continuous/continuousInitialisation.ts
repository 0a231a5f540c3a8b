import { boxesIn, needBox } from '../../media/mp4/isoBox.js';
import { readMp4Tracks, type Mp4Track } from '../../media/mp4/tracks.js';
import { audioTimescale, videoTimescale } from './continuousTimes.js';

export const continuousTrackIds: Readonly<Record<Mp4Track['kind'], number>> = { video: 1, audio: 2 };

/**
 * An initialisation segment with the track ids and timescales of the continuous form. They are the same for all sources, so
 * players that keep the first one they have read place all samples by it. Throws DamagedMediaError.
 */
export function continuousInitialisation(init: Buffer): Buffer {
  const changed = Buffer.from(init);
  const ids = new Map<number, number>();
  for (const { id, kind, positions } of readMp4Tracks(init)) {
    ids.set(id, continuousTrackIds[kind]);
    changed.writeUInt32BE(continuousTrackIds[kind], positions.id);
    changed.writeUInt32BE(kind === 'video' ? videoTimescale : audioTimescale, positions.timescale);
  }
  const defaults = needBox(init, init, 'moov', 'mvex');
  for (const { type, start } of boxesIn(init, defaults.start, defaults.end)) {
    const id = type === 'trex' ? ids.get(init.readUInt32BE(start + 4)) : undefined;
    if (id !== undefined) changed.writeUInt32BE(id, start + 4);
  }
  return changed;
}
