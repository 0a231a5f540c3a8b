import type { WrittenSample } from './fragmentWriter.js';
import { boxesIn } from './isoBox.js';
import type { Mp4Track } from './tracks.js';
import { trackRunsIn, type Sample, type TrackRuns } from './trackRuns.js';

/** A box `moof` of a stored segment, and its offset in the file. */
export interface StoredFragment {
  readonly start: number;
  readonly runs: readonly TrackRuns[];
}

/** The fragments of a segment in memory. Throws DamagedMediaError. */
export function storedFragmentsIn(segment: Buffer): StoredFragment[] {
  return [...boxesIn(segment, 0, segment.length)]
    .filter(({ type }) => type === 'moof')
    .map(({ start, end }) => ({ start: start - 8, runs: trackRunsIn(segment.subarray(start - 8, end)) }));
}

/** A sample with its times, and the position of its media in the file. */
export interface TimedSample extends WrittenSample {
  readonly position: number;
}

/** A stored sample. `position`: in the file. */
export interface StoredSample extends Pick<Sample, 'bytes' | 'position' | 'isSync'> {
  readonly decodeTime: number;
  readonly duration: number;
  readonly offset: number;
  /** Presentation time in seconds, on the timeline of its file. */
  readonly shownAt: number;
  readonly seconds: number;
}

/** The samples of the first track of a kind, in decoding order. */
export function storedSamples(
  fragments: readonly StoredFragment[],
  tracks: readonly Mp4Track[],
  kind: Mp4Track['kind'],
): StoredSample[] {
  const stored: StoredSample[] = [];
  const track = tracks.find((one) => one.kind === kind);
  const timescale = track?.timescale ?? 1;
  for (const { start, runs } of fragments)
    for (const { decodeTime, samples } of runs.filter((run) => run.track === track?.id)) {
      let tick = decodeTime;
      for (const { bytes, position, isSync, offset, duration } of samples) {
        const times = { decodeTime: tick, duration, offset };
        const seconds = { shownAt: (tick + offset) / timescale, seconds: duration / timescale };
        stored.push({ bytes, position: start + position, isSync, ...times, ...seconds });
        tick += duration;
      }
    }
  return stored;
}

/**
 * The samples of a track with the times of the file. The duration of each extends to the next sample, because fragments may have
 * gaps between them.
 */
export function ownTimes(
  fragments: readonly StoredFragment[],
  tracks: readonly Mp4Track[],
  kind: Mp4Track['kind'],
): TimedSample[] {
  const samples = storedSamples(fragments, tracks, kind);
  return samples.map(({ bytes, position, isSync, decodeTime, duration, offset }, index) => {
    const next = samples[index + 1];
    const ticks = next ? Math.max(0, next.decodeTime - decodeTime) : duration;
    return { bytes, position, isSync, decodeTime, duration: ticks, offset };
  });
}

/** The byte ranges of the samples' media; adjacent ranges are merged. `end`: inclusive. */
export function rangesOf(
  samples: readonly Pick<TimedSample, 'position' | 'bytes'>[],
): { readonly start: number; readonly end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (const { position, bytes } of samples) {
    if (bytes === 0) continue;
    const last = ranges.at(-1);
    if (last && last.end + 1 === position) last.end += bytes;
    else ranges.push({ start: position, end: position + bytes - 1 });
  }
  return ranges;
}
