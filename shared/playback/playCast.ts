import { publicCastChannel, type CastChannelDetails, type PublicCastChannel } from '../cast/castChannel.queries.js';
import { listedNow } from '../cast/castTimeline.js';
import type { CastPlaylistForm } from '../cast/playout/index.js';
import { isBandExceeded } from '../license/band.service.js';
import type { Context } from '../platform/context.js';
import type { Language } from '../platform/i18n.js';
import { castPrefix } from './grant.js';
import { blockedPlay, type PlayResult } from './playResult.js';
import { grantsOf, hlsResult, masterOf, viewerSessionEnds } from './viewerSession.js';

/** Validity of a channel's addresses. */
const validSeconds = 24 * 3600;

export interface CastPlayedBy {
  /** User code of the viewer. Null with a public token. */
  readonly viewerCode: string | null;
  readonly language: Language;
}

export interface PlayedCastChannel {
  readonly played: PublicCastChannel;
  readonly result: PlayResult;
}

/**
 * Plays a channel for any viewer: `docs/contract.md#choices-cast`. Throws NotFoundError if the channel does not exist, or its
 * publisher is disabled.
 */
export async function playCastChannel(
  ctx: Context,
  channelId: string,
  by: CastPlayedBy,
  form: CastPlaylistForm = 'joined',
): Promise<PlayedCastChannel> {
  const played = await publicCastChannel(ctx, channelId);
  return { played, result: await play(ctx, played, played.publisher.user.userCode, by, form) };
}

/** Plays a channel for its owner, with the same media as for all viewers. The caller has checked the ownership. */
export function testCastChannel(
  ctx: Context,
  channel: CastChannelDetails,
  ownerCode: string,
  { language }: Pick<CastPlayedBy, 'language'>,
): Promise<PlayResult> {
  return play(ctx, channel, ownerCode, { viewerCode: ownerCode, language }, 'joined');
}

async function play(
  ctx: Context,
  { id, ownerId, streamPath }: CastChannelDetails,
  publisherCode: string,
  { viewerCode, language }: CastPlayedBy,
  form: CastPlaylistForm,
): Promise<PlayResult> {
  if (await isBandExceeded(ctx, ownerId)) return blockedPlay('BAND_LIMIT_EXCEEDED');
  // Empty only until the first worker of a new deployment has stored the default slate.
  const now = await listedNow(ctx, id);
  if (!now || now.listed.length === 0) return blockedPlay('MESSAGE', ctx.translate(language, 'playback.live.starting'));
  const opened = { kind: 'cast', prefix: castPrefix(id), viewerCode, publisherCode } as const;
  return hlsResult(ctx, grantsOf(ctx, opened, viewerSessionEnds(ctx, validSeconds), streamPath), masterOf[form]);
}
