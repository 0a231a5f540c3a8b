import { DamagedMediaError } from '../../media/mp4/isoBox.js';
import { readMp4Tracks } from '../../media/mp4/tracks.js';
import { trackRunsIn } from '../../media/mp4/trackRuns.js';
import type { Context } from '../../platform/context.js';
import { NotFoundError } from '../../platform/errors.js';
import { RefreshedCache } from '../../platform/refreshedCache.js';
import {
  readStoredText,
  storedBoxes,
  storedFile,
  storedFragment,
  storedInitialisation,
} from '../../content/storedMedia.js';
import { captionPartsOf, mpegTicksPerSecond, sectionsOfPlaylist, type ListedCaptionPart } from './captionPlaylist.js';

declare module '../../platform/context.js' {
  interface Context {
    /** The parts of captions beside media playlists, by the keys of these. They never change. */
    readonly captionParts: RefreshedCache<readonly ListedCaptionPart[]>;
  }
}

/** Of 12 hours: 1,440 parts. */
const mostKept = 200;
/** A recording has a section for each time that its encoder has come back. */
const mostSections = 500;

export function createCaptionParts(): RefreshedCache<readonly ListedCaptionPart[]> {
  return new RefreshedCache({ lifetimeMs: Number.POSITIVE_INFINITY, maximum: mostKept });
}

/** The parts of captions beside a stored media playlist. Throws NotFoundError. */
export async function captionPartsBeside(
  ctx: Context,
  mediaPlaylistKey: string,
): Promise<readonly ListedCaptionPart[]> {
  const parts = await ctx.captionParts.get(mediaPlaylistKey, () => readParts(ctx, mediaPlaylistKey));
  return parts ?? [];
}

async function readParts(ctx: Context, key: string): Promise<ListedCaptionPart[]> {
  const folder = key.slice(0, key.lastIndexOf('/') + 1);
  const sections = sectionsOfPlaylist(await readStoredText(ctx, key));
  if (sections.length > mostSections) throw new NotFoundError({ detail: `${sections.length} sections in ${key}` });
  const startTicks: number[] = [];
  for (const { first } of sections) startTicks.push(await startTicksOf(ctx, folder + first.uri, folder + first.map));
  return captionPartsOf(sections, startTicks);
}

/** When the first frame of a stored segment is shown, in ticks of 90 kHz. */
async function startTicksOf(ctx: Context, key: string, map: string): Promise<number> {
  const init = await storedInitialisation(ctx, await storedFile(ctx, map));
  const video = readMp4Tracks(init).find(({ kind }) => kind === 'video');
  for await (const box of storedBoxes(ctx, await storedFile(ctx, key))) {
    if (box.type !== 'moof') continue;
    const runs = trackRunsIn(await storedFragment(ctx, key, box));
    const run = runs.find(({ track }) => track === video?.id);
    if (!run || !video) break;
    const start = run.decodeTime + (run.samples[0]?.offset ?? 0);
    return Math.max(0, Math.round((start / video.timescale) * mpegTicksPerSecond));
  }
  throw new DamagedMediaError(`no video in ${key}`);
}
