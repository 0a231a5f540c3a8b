import { fragmentHead } from './fragmentWriter.js';
import { DamagedMediaError } from './isoBox.js';
import { ownTimes, storedFragmentsIn } from './trackSamples.js';
import { readMp4Tracks } from './tracks.js';

/**
 * The first `frames` frames of a video segment as a segment of their own. The next frame must be a keyframe: no frame refers
 * across it. Throws DamagedMediaError if it is not, or if the segment has fewer frames.
 */
export function firstFrames(init: Buffer, segment: Buffer, frames: number, sequence: number): Buffer {
  const tracks = readMp4Tracks(init);
  const track = tracks.find(({ kind }) => kind === 'video');
  const samples = ownTimes(storedFragmentsIn(segment), tracks, 'video');
  const taken = samples.slice(0, frames);
  const next = samples[frames];
  const last = taken.at(-1);
  if (!track || !last || taken.length < frames || next?.isSync === false)
    throw new DamagedMediaError(`${samples.length} frames, no keyframe after ${frames}`);
  // The decoding of a segment ends with its presentation: `segmentTimes.ts`.
  const shown = taken.map(({ decodeTime, offset }) => decodeTime + offset).toSorted((one, other) => one - other);
  const frameTicks = shown.length > 1 ? (shown[1] ?? 0) - (shown[0] ?? 0) : last.duration;
  const end = (shown.at(-1) ?? 0) + frameTicks;
  const timed = [...taken.slice(0, -1), { ...last, duration: end - last.decodeTime }];
  const media = timed.map(({ position, bytes }) => segment.subarray(position, position + bytes));
  return Buffer.concat([fragmentHead(track.id, sequence, timed), ...media]);
}
