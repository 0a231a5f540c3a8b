import type { Context } from '../../platform/context.js';
import { contextPart } from '../../platform/contextParts.js';
import { NotFoundError } from '../../platform/errors.js';
import { RefreshedCache } from '../../platform/refreshedCache.js';
import { readStoredText, segmentStartSeconds } from '../../content/storedMedia.js';
import { contentTracks } from '../../content/content.queries.js';
import { masterName } from '../../content/storageKeys.js';
import { isDatabaseUnreachable } from '../../platform/database/databaseErrors.js';
import { captionedPlaylist } from './captionMaster.js';
import { captionPartName, type CaptionPart } from './captionPath.js';
import { captionPartsOf, sectionsOfPlaylist, type ListedCaptionPart } from './captionPlaylist.js';

/** Cached playlists; one of 12 hours has 1,440 parts. */
const maxPlaylists = 200;
/** A recording has one more section for each reconnection of its encoder. */
const maxSections = 500;

/** Cached caption parts, by the key of their media playlist. They never change. */
const captionParts = contextPart(
  () =>
    new RefreshedCache<readonly ListedCaptionPart[]>({
      lifetimeMs: Number.POSITIVE_INFINITY,
      maxEntries: maxPlaylists,
    }),
);

/** The caption parts that are aligned with a stored media playlist. Throws NotFoundError. */
export async function alignedCaptionParts(
  ctx: Context,
  mediaPlaylistKey: string,
): Promise<readonly ListedCaptionPart[]> {
  const parts = await captionParts(ctx).get(mediaPlaylistKey, () => readParts(ctx, mediaPlaylistKey));
  return parts ?? [];
}

async function readParts(ctx: Context, key: string): Promise<ListedCaptionPart[]> {
  const folder = key.slice(0, key.lastIndexOf('/') + 1);
  const sections = sectionsOfPlaylist(await readStoredText(ctx, key));
  if (sections.length > maxSections) throw new NotFoundError({ detail: `${sections.length} sections in ${key}` });
  const startSeconds: number[] = [];
  for (const { first } of sections)
    startSeconds.push(await segmentStartSeconds(ctx, { key: folder + first.uri, map: folder + first.map }));
  return captionPartsOf(sections, startSeconds);
}

/**
 * Whether the caption playlist of a content's ready generation lists this part. Returns false for an earlier generation, and while
 * the playlist cannot be read. `prefix`: the folder that the grant opens.
 */
export async function isListedPart(
  ctx: Context,
  { prefix, contentId }: { readonly prefix: string; readonly contentId: string },
  part: CaptionPart,
): Promise<boolean> {
  try {
    const content = await contentTracks(ctx, contentId);
    const master = prefix + masterName({ state: 'complete', attempt: content?.readyAttempt ?? null });
    const parts = await captionParts(ctx).get(master, async () =>
      readParts(ctx, prefix + captionedPlaylist(await readStoredText(ctx, master))),
    );
    return (parts ?? []).some((one) => captionPartName(one) === captionPartName(part));
  } catch (error) {
    if (error instanceof NotFoundError || isDatabaseUnreachable(error)) return false;
    throw error;
  }
}
