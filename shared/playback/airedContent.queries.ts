import type { ContentAudio } from '../content/audioTracks.js';
import { audioTracksOf } from '../content/audioTracks.service.js';
import { findContent } from '../content/content.queries.js';
import { generationFolder } from '../content/storageKeys.js';
import type { Grid } from '../media/grid.js';
import type { Context } from '../platform/context.js';
import { contextPart } from '../platform/contextParts.js';
import { RefreshedCache } from '../platform/refreshedCache.js';

/** Cached data of contents that air on cast channels. */
interface AiredContents {
  /** Key: content and generation. */
  readonly generations: RefreshedCache<AiredGeneration>;
  /** Key: content. */
  readonly tracks: RefreshedCache<readonly ContentAudio[]>;
}

/** Folder and segment grid of an aired generation. They never change. */
interface AiredGeneration {
  readonly folder: string;
  readonly grid: Grid;
}

const airedContents = contextPart((): AiredContents => ({
  generations: new RefreshedCache({ lifetimeMs: Number.POSITIVE_INFINITY, maxEntries: 2_000 }),
  tracks: new RefreshedCache({ lifetimeMs: 10_000, maxEntries: 2_000 }),
}));

/** Null: the content does not exist, or has no full generation. */
export function airedGeneration(ctx: Context, contentId: string, generation: number): Promise<AiredGeneration | null> {
  return airedContents(ctx).generations.get(`${contentId}/${generation}`, async () => {
    const content = await findContent(ctx, contentId);
    return content?.readyGrid ? { folder: generationFolder(content, generation), grid: content.readyGrid } : null;
  });
}

/** The audio tracks of a content, cached for ten seconds. */
export async function airedTracks(ctx: Context, contentId: string): Promise<readonly ContentAudio[]> {
  return (await airedContents(ctx).tracks.get(contentId, () => audioTracksOf(ctx, contentId))) ?? [];
}
