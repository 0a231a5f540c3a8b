import type { ServerResponse } from 'node:http';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { languageTag } from '../../shared/platform/formats/language.js';
import type { CastTrack } from '../../shared/playback/castSegments.js';
import { castMasterPlaylist, castTrackNamed } from '../../shared/playback/castMaster.js';
import { castCaptionPlaylist, castPlaylist, playedCastChannel } from '../../shared/playback/castPlaylist.queries.js';
import { castLanguages } from '../../shared/playback/castLanguages.queries.js';
import { castCaptionsLanguage } from '../../shared/playback/captions/captionPath.js';
import { sendBuffer } from './sendBuffer.js';
import { liveCaching, sendPlaylist } from './sendPlaylist.js';
import { playlistCaching, type Granted } from './granted.js';
import { contentTypes } from './sendStream.js';

/**
 * Sends a playlist of a cast channel; the playlists of the continuous form are in their own folder. Segments have separate
 * addresses: `docs/decisions/cast.md#serving`. Throws NotFoundError: the channel is deleted, its publisher is disabled, or the
 * rendition does not exist; UnavailableError: no segments are listed yet.
 */
export async function sendCast(
  target: { readonly ctx: Context; readonly response: ServerResponse },
  granted: Granted,
): Promise<void> {
  const { ctx } = target;
  const { prefix } = granted.grant;
  const { maxHeight } = ctx.config.cast;
  const channel = await playedCastChannel(ctx, prefix.slice('cast/'.length, -1));
  const [name = '', folder] = granted.key.slice(prefix.length, -'.m3u8'.length).split('/').toReversed();
  const form = folder === undefined ? 'joined' : 'continuous';
  if (channel && name === 'master') {
    const text = castMasterPlaylist(maxHeight, await castLanguages(ctx, channel.id));
    return sendBuffer(target, granted, Buffer.from(text), {
      contentType: contentTypes['m3u8'] ?? '',
      caching: playlistCaching,
    });
  }
  if (!channel) throw new NotFoundError({ detail: `no cast channel ${prefix}` });
  const list = await requestedList(ctx, channel.id, name);
  const playlist =
    list?.kind === 'captions'
      ? await castCaptionPlaylist(ctx, channel, list.language, form)
      : list && (await castPlaylist(ctx, channel, list.track, form));
  if (!list || !playlist) throw new NotFoundError({ detail: `no cast playlist ${granted.key}` });
  return sendPlaylist(target, granted, playlist, list.isListed ? liveCaching : 'no-store');
}

/** The content of a playlist. Captions with the language null are empty. `isListed`: the master playlist currently names it. */
type RequestedList = { readonly isListed: boolean } & (
  | { readonly kind: 'captions'; readonly language: string | null }
  | { readonly kind: 'track'; readonly track: CastTrack }
);

/**
 * Players may keep a playlist in a language that no program of the next day has any more: it contains the default audio track, or
 * no captions. Names can contain any language, so neither an edge nor this process caches such playlists. Null: no such playlist.
 */
async function requestedList(ctx: Context, channelId: string, name: string): Promise<RequestedList | null> {
  const ofCaptions = castCaptionsLanguage(name);
  const track = castTrackNamed(name, ctx.config.cast.maxHeight);
  const language = ofCaptions ?? (track?.kind === 'audio' ? track.language : null);
  if (language === null) return track && { isListed: true, kind: 'track', track };
  const { captions, audio } = await castLanguages(ctx, channelId);
  const isListed = (ofCaptions === null ? audio : captions).includes(language);
  if (!isListed && languageTag(language) !== language) return null;
  if (ofCaptions !== null) return { isListed, kind: 'captions', language: isListed ? language : null };
  return { isListed, kind: 'track', track: { kind: 'audio', language: isListed ? language : null } };
}
