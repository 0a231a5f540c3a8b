import type { ServerResponse } from 'node:http';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import type { CastTrack } from '../../shared/playback/castSegments.js';
import { castMasterPlaylist, castTrackNamed } from '../../shared/playback/castMaster.js';
import { castCaptionPlaylist, castPlaylist, playedCastChannel } from '../../shared/playback/castPlaylist.queries.js';
import { castLanguages } from '../../shared/playback/castLanguages.queries.js';
import { castCaptionsLanguage } from '../../shared/playback/captions/captionPath.js';
import { sendBuffer } from './sendBuffer.js';
import { sendPlaylist } from './sendPlaylist.js';
import { playlistCaching, type Granted } from './granted.js';
import { contentTypes } from './sendStream.js';

/**
 * Sends a playlist of a cast channel; those of the continuous form are in a folder of their own. Its segments have addresses of their own: `docs/decisions/cast.md#serving`. Throws
 * NotFoundError: the channel is deleted or its publisher disabled, or there is no such rendition; UnavailableError: nothing is
 * listed yet.
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
  const language = castCaptionsLanguage(name);
  const track = channel && (await offeredTrack(ctx, channel.id, castTrackNamed(name, maxHeight)));
  const playlist =
    channel && language !== null
      ? await castCaptionPlaylist(ctx, channel, language, form)
      : channel && track
        ? await castPlaylist(ctx, channel, track, form)
        : null;
  if (!playlist) throw new NotFoundError({ detail: `no cast playlist ${granted.key}` });
  return sendPlaylist(target, granted, playlist);
}

/** The default track in place of a language that nothing has which airs within a day: so nobody makes this process write lists for others. */
async function offeredTrack(ctx: Context, channelId: string, track: CastTrack | null): Promise<CastTrack | null> {
  if (track?.kind !== 'audio' || track.language === null) return track;
  const { audio } = await castLanguages(ctx, channelId);
  return audio.includes(track.language) ? track : { kind: 'audio', language: null };
}
