import type { AudioTrack } from '../content/audioTracks.js';
import { findContent } from '../content/content.queries.js';
import { generationFolder } from '../content/storageKeys.js';
import type { Grid } from '../media/grid.js';
import type { Context } from '../platform/context.js';
import { RefreshedCache } from '../platform/refreshedCache.js';

declare module '../platform/context.js' {
  interface Context {
    readonly airedContents: AiredContents;
  }
}

/** What this process has read of contents that air on cast channels. */
export interface AiredContents {
  /** By content and generation. */
  readonly generations: RefreshedCache<AiredGeneration>;
  /** By content. */
  readonly tracks: RefreshedCache<readonly AudioTrack[]>;
}

/** A generation that airs: its folder, and how its frames are divided into segments. They never change. */
interface AiredGeneration {
  readonly folder: string;
  readonly grid: Grid;
}

export function createAiredContents(): AiredContents {
  return {
    generations: new RefreshedCache({ lifetimeMs: Number.POSITIVE_INFINITY, maximum: 2_000 }),
    tracks: new RefreshedCache({ lifetimeMs: 10_000, maximum: 2_000 }),
  };
}

/** Null: the content is gone. */
export function airedGeneration(ctx: Context, contentId: string, generation: number): Promise<AiredGeneration | null> {
  return ctx.airedContents.generations.get(`${contentId}/${generation}`, async () => {
    const content = await findContent(ctx, contentId);
    return content?.readyGrid ? { folder: generationFolder(content, generation), grid: content.readyGrid } : null;
  });
}

/** The audio tracks of a content that are offered, the default one first. Empty where nothing is known of them. */
export async function airedTracks(ctx: Context, contentId: string): Promise<readonly AudioTrack[]> {
  const tracks = await ctx.airedContents.tracks.get(
    contentId,
    async () => (await findContent(ctx, contentId))?.audioTracks ?? [],
  );
  return (tracks ?? []).filter(({ isOffered }) => isOffered);
}
