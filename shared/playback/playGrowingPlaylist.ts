import type { WatchableContent } from '../content/content.model.js';
import { sessionSeconds } from '../content/viewerSessionSeconds.js';
import { generationFolder, masterName } from '../content/storageKeys.js';
import { isBandExceeded } from '../license/band.service.js';
import type { Context } from '../platform/context.js';
import { userIdOf } from '../user/user.queries.js';
import { blockedPlay, type PlayResult } from './playResult.js';
import { grantsOf, hlsResult, viewerSessionEnds } from './viewerSession.js';

/**
 * URLs of the stored part of an incomplete content, for its owner: event playlists that grow until the content is READY
 * (`docs/decisions/uploads.md#quick`). Null: it is not PENDING, or nothing is stored yet.
 */
export async function playGrowingPlaylist(
  ctx: Context,
  content: WatchableContent,
  ownerCode: string,
): Promise<PlayResult | null> {
  if (content.state !== 'PENDING' || !content.growing) return null;
  const ownerId = await userIdOf(ctx, ownerCode);
  if (ownerId !== undefined && (await isBandExceeded(ctx, ownerId))) return blockedPlay('BAND_LIMIT_EXCEEDED');
  const prefix = `${generationFolder(content, content.generation)}/`;
  const opened = { kind: 'full', prefix, viewerCode: ownerCode, publisherCode: ownerCode } as const;
  const ends = viewerSessionEnds(ctx, sessionSeconds((content.durationMs ?? 0) / 1000));
  return hlsResult(ctx, grantsOf(ctx, opened, ends), masterName({ state: 'growing' }));
}
