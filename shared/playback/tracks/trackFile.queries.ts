import type { Context } from '../../platform/context.js';
import { contextPart } from '../../platform/contextParts.js';
import {
  DamagedMediaError,
  maxSamples,
  readMp4Tracks,
  singleTrackInitialisation,
  trackRunsIn,
  type Mp4Track,
  type StoredFragment,
} from '../../media/mp4/index.js';
import { RefreshedCache } from '../../platform/refreshedCache.js';
import type { StoredFile } from '../../platform/storage/storage.js';
import { storedBoxes, storedFile, storedFragment, storedInitialisation } from '../../content/storedMedia.js';
import { audioTimescale, videoTimescale } from './continuousTimes.js';
import { readTrackPath } from './trackPath.js';
import { trackSegment, type TrackSegment } from './trackSegment.js';

/** One track of a stored file. */
export interface TrackFile extends TrackSegment {
  readonly stored: StoredFile;
}

/** Cached files, of ten kilobytes each. */
const maxFiles = 1_000;

/** Recently requested tracks of stored files, by path. They never change. */
const trackFiles = contextPart(
  () => new RefreshedCache<TrackFile>({ lifetimeMs: Number.POSITIVE_INFINITY, maxEntries: maxFiles }),
);

/**
 * The file at a path whose grant was checked; cached by this process. Null: the path is malformed. Throws NotFoundError;
 * DamagedMediaError if the stored file cannot be read as a segment.
 */
export function trackFile(ctx: Context, path: string): Promise<TrackFile | null> {
  return trackFiles(ctx).get(path, async () => {
    const requested = readTrackPath(path);
    if (!requested) return null;
    const { kind, time, map, key } = requested;
    const storedMap = await storedFile(ctx, map);
    const init = await storedInitialisation(ctx, storedMap);
    if (key === null || time === 'channel')
      return { stored: storedMap, head: trackInitialisation(init, kind, time === null ? 'own' : 'channel'), body: [] };
    const stored = await storedFile(ctx, key);
    const segment = trackSegment({ init, fragments: await storedFragments(ctx, stored) }, kind, time);
    if (segment.body.some(({ start, end }) => start < 0 || end >= stored.bytes))
      throw new DamagedMediaError(`samples outside of ${key}`);
    return { stored, ...segment };
  });
}

/**
 * The initialisation segment of one track. With `channel` times, track id and timescale are the same for all sources, because some
 * players keep the first initialisation segment for all samples. Throws DamagedMediaError.
 */
function trackInitialisation(init: Buffer, kind: Mp4Track['kind'], times: 'own' | 'channel'): Buffer {
  const changed = singleTrackInitialisation(init, kind);
  const [track] = readMp4Tracks(changed);
  if (!track) return changed;
  if (times === 'channel')
    changed.writeUInt32BE(kind === 'video' ? videoTimescale : audioTimescale, track.positions.timescale);
  return changed;
}

/** Reads the `moof` boxes of a segment, without its media. */
async function storedFragments(ctx: Context, segment: StoredFile): Promise<StoredFragment[]> {
  const fragments: StoredFragment[] = [];
  let samples = 0;
  for await (const box of storedBoxes(ctx, segment)) {
    if (box.type !== 'moof') continue;
    const runs = trackRunsIn(await storedFragment(ctx, segment.key, box));
    fragments.push({ start: box.start, runs });
    samples += runs.reduce((sum, run) => sum + run.samples.length, 0);
    if (samples > maxSamples) throw new DamagedMediaError(`${samples} samples in ${segment.key}`);
  }
  return fragments;
}
