import type { ContentAudio } from '../content/audioTracks.js';
import { audioTracksOf } from '../content/audioTracks.service.js';
import { findContent } from '../content/content.queries.js';
import { generationFolder } from '../content/storageKeys.js';
import type { Grid } from '../media/grid.js';
import type { Context } from '../platform/context.js';
import { contextPart } from '../platform/contextParts.js';
import { RefreshedCache } from '../platform/refreshedCache.js';

/** What this process has read of contents that air on cast channels. */
interface AiredContents {
  /** By content and generation. */
  readonly generations: RefreshedCache<AiredGeneration>;
  /** By content. */
  readonly tracks: RefreshedCache<readonly ContentAudio[]>;
}

/** A generation that airs: its folder, and how its frames are divided into segments. They never change. */
interface AiredGeneration {
  readonly folder: string;
  readonly grid: Grid;
}

const airedContents = contextPart((): AiredContents => ({
  generations: new RefreshedCache({ lifetimeMs: Number.POSITIVE_INFINITY, maxEntries: 2_000 }),
  tracks: new RefreshedCache({ lifetimeMs: 10_000, maxEntries: 2_000 }),
}));

/** Null: the content is gone. */
export function airedGeneration(ctx: Context, contentId: string, generation: number): Promise<AiredGeneration | null> {
  return airedContents(ctx).generations.get(`${contentId}/${generation}`, async () => {
    const content = await findContent(ctx, contentId);
    return content?.readyGrid ? { folder: generationFolder(content, generation), grid: content.readyGrid } : null;
  });
}

/** The audio tracks of a content, as they were in the last seconds. */
export async function airedTracks(ctx: Context, contentId: string): Promise<readonly ContentAudio[]> {
  return (await airedContents(ctx).tracks.get(contentId, () => audioTracksOf(ctx, contentId))) ?? [];
}
