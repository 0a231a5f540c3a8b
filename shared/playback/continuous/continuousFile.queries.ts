import type { SegmentFile } from '../../content/segmentFiles.js';
import type { Context } from '../../platform/context.js';
import { DamagedMediaError } from '../../media/mp4/isoBox.js';
import { mostSamples, trackRunsIn } from '../../media/mp4/trackRuns.js';
import { RefreshedCache } from '../../platform/refreshedCache.js';
import type { ByteRange } from '../../platform/storage/byteRange.js';
import type { StoredFile } from '../../platform/storage/storage.js';
import { continuousInitialisation } from './continuousInitialisation.js';
import {
  boxHeaderBytes,
  storedBoxes,
  storedFile,
  storedFragment,
  storedInitialisation,
} from '../../content/storedMedia.js';
import { readContinuousPath } from './continuousPath.js';
import { continuousSegment, type ContinuousSegment, type FragmentedSegment } from './continuousSegment.js';
import type { StoredFragment } from './continuousTimes.js';

declare module '../../platform/context.js' {
  interface Context {
    /** Files of the continuous form that were asked for lately, by their paths. They never change. */
    readonly continuousFiles: ContinuousFiles;
  }
}

/** A file of the continuous form. `body` is a part of the stored file; null: there is nothing behind the head. */
export interface ContinuousFile extends Pick<ContinuousSegment, 'head'> {
  readonly stored: StoredFile;
  readonly body: ContinuousSegment['body'] | null;
}

export type ContinuousFiles = RefreshedCache<ContinuousFile>;

/** Ten kilobytes each. */
const mostKept = 1_000;

export function createContinuousFiles(): ContinuousFiles {
  return new RefreshedCache({ lifetimeMs: Number.POSITIVE_INFINITY, maximum: mostKept });
}

/**
 * The file at a path whose grant was checked: read and computed once by this process. Null: there is no such path. Throws
 * NotFoundError; DamagedMediaError where the stored file cannot be read as a segment.
 */
export function continuousFile(ctx: Context, path: string): Promise<ContinuousFile | null> {
  return ctx.continuousFiles.get(path, async () => {
    const asked = readContinuousPath(path);
    if (!asked) return null;
    if ('map' in asked) {
      const stored = await storedFile(ctx, asked.map);
      return { stored, head: continuousInitialisation(await storedInitialisation(ctx, stored)), body: null };
    }
    const stored = await storedFile(ctx, asked.file.key);
    return { stored, ...continuousSegment(await storedSegment(ctx, asked.file, stored), asked.time) };
  });
}

/** Reads the boxes `moof` of a segment, and not its media. */
async function storedSegment(ctx: Context, { map }: SegmentFile, segment: StoredFile): Promise<FragmentedSegment> {
  const init = await storedInitialisation(ctx, await storedFile(ctx, map));
  const fragments: StoredFragment[] = [];
  const media: ByteRange[] = [];
  let samples = 0;
  for await (const box of storedBoxes(ctx, segment)) {
    const { type, start, length } = box;
    if (type === 'moof') {
      fragments.push({ start, runs: trackRunsIn(await storedFragment(ctx, segment.key, box)) });
      samples += fragments.at(-1)?.runs.reduce((sum, run) => sum + run.samples.length, 0) ?? 0;
      if (samples > mostSamples) throw new DamagedMediaError(`${samples} samples in ${segment.key}`);
    }
    if (type === 'mdat') media.push({ start: start + boxHeaderBytes, end: start + length - 1 });
  }
  const [first, last] = [media[0], media.at(-1)];
  if (!first || !last) throw new DamagedMediaError(`no media in ${segment.key}`);
  return { init, fragments, media: { start: first.start, end: last.end } };
}
