import { previewSeconds } from '../media/grid.js';
import type { PlayableContent } from '../content/content.model.js';
import { sessionSeconds } from '../content/viewerSessionSeconds.js';
import {
  chapterTrackName,
  generationFolder,
  masterName,
  previewFolder,
  storyboardTrackName,
} from '../content/storageKeys.js';
import { isBandExceeded } from '../license/band.service.js';
import type { Context } from '../platform/context.js';
import type { Language } from '../platform/i18n.js';
import { userIdOf } from '../user/user.queries.js';
import type { GrantKind } from './grant.js';
import { blockedPlay, type PlayResult } from './playResult.js';
import { addressOf, grantsOf, hlsResult, viewerSessionEnds } from './viewerSession.js';

export interface PlayRequest {
  readonly content: PlayableContent;
  /** User code of the holder or publisher, to whose band the bytes are added. */
  readonly publisherCode: string;
  /** User code. Null with a public token. */
  readonly viewerCode: string | null;
  readonly kind: GrantKind;
  /** Language of the message if the content cannot be played; default: en. */
  readonly language?: Language;
}

/**
 * URLs of a content or its preview, or the reason why nobody can play it; `docs/contract.md#choices-playback`. The caller has
 * checked that the viewer may play it.
 */
export async function playContent(ctx: Context, request: PlayRequest): Promise<PlayResult> {
  return (await obstacleTo(ctx, request)) ?? addressesOf(ctx, request);
}

/**
 * The reason why nobody can play a content at present: `MESSAGE` if it is not READY, `BAND_LIMIT_EXCEEDED` if the publisher's
 * band of this month is used up. Null if it can be played.
 */
export async function obstacleTo(
  ctx: Context,
  request: Pick<PlayRequest, 'content' | 'publisherCode' | 'language'>,
): Promise<PlayResult | null> {
  const notReady = notReadyResult(ctx, request);
  if (notReady) return notReady;
  return (await hasNoBandLeft(ctx, request.publisherCode)) ? blockedPlay('BAND_LIMIT_EXCEEDED') : null;
}

/** `MESSAGE` if a content is not READY; otherwise null. */
export function notReadyResult(
  ctx: Context,
  { content, language = 'en' }: Pick<PlayRequest, 'content' | 'language'>,
): PlayResult | null {
  if (content.state === 'READY' && content.readyGeneration != null) return null;
  const key = content.state === 'PENDING' ? 'playback.notReady' : 'playback.notPlayable';
  return blockedPlay('MESSAGE', ctx.translate(language, key));
}

/**
 * The URLs of a content. `streamer` is the same for a viewer who plays again within ten minutes, so that caches work;
 * `uniqueStreamer` belongs to this call. Both expire with the session (`sessionSeconds`).
 */
export function addressesOf(ctx: Context, request: PlayRequest): PlayResult {
  const { content, kind, viewerCode, publisherCode } = request;
  const folderOf = kind === 'preview' ? previewFolder : generationFolder;
  const prefix = `${folderOf(content, content.readyGeneration ?? 0)}/`;
  const ends = viewerSessionEnds(ctx, validSeconds(request));
  const master = masterName({ state: 'complete', attempt: content.readyAttempt });
  const grants = grantsOf(ctx, { kind, prefix, viewerCode, publisherCode }, ends);
  const trackOf = (name: string): string => addressOf(ctx, grants.shared, name);
  return {
    ...hlsResult(ctx, grants, master),
    ...(kind === 'full' && content.hasStoryboard ? { storyboard: trackOf(storyboardTrackName) } : {}),
    ...(kind === 'full' && content.hasChapters ? { chapters: trackOf(chapterTrackName) } : {}),
  };
}

function validSeconds({ content, kind }: PlayRequest): number {
  const seconds = kind === 'preview' ? previewSeconds : (content.durationMs ?? 0) / 1000;
  return sessionSeconds(seconds);
}

async function hasNoBandLeft(ctx: Context, publisherCode: string): Promise<boolean> {
  const publisherId = await userIdOf(ctx, publisherCode);
  return publisherId !== undefined && (await isBandExceeded(ctx, publisherId));
}
