import type { ServerResponse } from 'node:http';
import { cuesOf, playedCaptionsOf } from '../../shared/caption/caption.queries.js';
import { vttFile, vttFileInSlices } from '../../shared/caption/vttFile.js';
import { escapeCueText } from '../../shared/caption/cueText.js';
import { chapterTrack } from '../../shared/content/chapters.js';
import { contentTracks, type TrackedContent } from '../../shared/content/content.queries.js';
import {
  chapterTrackName,
  contentFolder,
  contentIdOfKey,
  isMasterPlaylist,
  isMediaPlaylist,
  sheetsPath,
  storyboardTrackName,
} from '../../shared/content/storageKeys.js';
import { storyboardTrack } from '../../shared/content/storyboard.js';
import { previewSeconds } from '../../shared/media/grid.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { sendStoredFile } from '../http/sendFile.js';
import type { Context } from '../../shared/platform/context.js';
import { playlistOnCdn } from '../../shared/playback/cdnAddress.js';
import { withoutClosedCaptions } from '../../shared/content/variantStreams.js';
import { masterWithAudio } from '../../shared/playback/audioMaster.js';
import { masterWithCaptions } from '../../shared/playback/captions/captionMaster.js';
import {
  captionPartKey,
  isNoCaptionsKey,
  readCaptionPartKey,
  readCaptionPlaylistKey,
  type RequestedCaptionPart,
} from '../../shared/playback/captions/captionPath.js';
import { captionPlaylist } from '../../shared/playback/captions/captionPlaylist.js';
import { alignedCaptionParts, isListedPart } from '../../shared/playback/captions/captionPlaylist.queries.js';
import { writtenPlaylist } from '../../shared/streaming/writtenPlaylist.js';
import { readStoredText } from '../../shared/content/storedMedia.js';
import { sendBuffer } from './sendBuffer.js';
import { playlistCaching, segmentCaching, type Granted } from './granted.js';
import { sendPlaylist } from './sendPlaylist.js';
import { contentTypes, sendStream, storedCaching } from './sendStream.js';

interface StreamResponse {
  readonly ctx: Context;
  readonly response: ServerResponse;
}

/** Checked first, because most requests are for media files. */
const mediaPattern = /\.(?:m4s|mp4)$/;
const sheetPattern = new RegExp(`^${sheetsPath}(\\d{3}\\.jpg)$`);

/**
 * Sends a stored file of a content, or a text generated for the request, because it can change while the files do not: the audio
 * tracks and captions of the master playlist, their playlists and parts, and the tracks of preview images and chapters. Throws
 * NotFoundError.
 */
export async function sendContent(target: StreamResponse, granted: Granted): Promise<void> {
  if (mediaPattern.test(granted.key)) return sendStream(target, granted);
  const { kind, prefix } = granted.grant;
  const [, sheet] = kind === 'full' ? (sheetPattern.exec(granted.key.slice(prefix.length)) ?? []) : [];
  if (sheet !== undefined) return sendSheet(target, granted, sheet);
  const part = readCaptionPartKey(granted.key);
  if (part) return sendCaptionPart(target, granted, part);
  const onCdn = await playlistOfCdn(target.ctx, granted);
  if (onCdn !== null) return sendPlaylist(target, granted, writtenPlaylist(onCdn), storedCaching(granted.key));
  const text = await writtenText(target.ctx, granted);
  if (text === null) return sendStream(target, granted);
  const extension = granted.key.slice(granted.key.lastIndexOf('.') + 1);
  sendBuffer(target, granted, Buffer.from(text), {
    contentType: contentTypes[extension] ?? '',
    caching: playlistCaching,
  });
}

/** The generated text. Null: the stored file is sent. Throws NotFoundError. */
async function writtenText(ctx: Context, { key, grant }: Granted): Promise<string | null> {
  if (isNoCaptionsKey(key)) return vttFile([]);
  const contentId = contentIdOfKey(key);
  const playlist = readCaptionPlaylistKey(key);
  if (playlist) {
    await cuesOf(ctx, contentId, playlist.captionId);
    return captionPlaylist(await alignedCaptionParts(ctx, playlist.mediaPlaylistKey));
  }
  if (grant.kind === 'full' && key === grant.prefix + storyboardTrackName) {
    const { storyboard, durationMs } = await trackedContent(ctx, contentId);
    if (!storyboard) throw new NotFoundError();
    return storyboardTrack(storyboard, durationMs ?? 0, sheetsPath);
  }
  if (grant.kind === 'full' && key === grant.prefix + chapterTrackName) {
    const { chapters, durationMs } = await trackedContent(ctx, contentId);
    return chapterTrack(chapters ?? [], durationMs ?? 0, escapeCueText);
  }
  if (!isMasterPlaylist(key)) return null;
  const [captions, content] = await Promise.all([playedCaptionsOf(ctx, contentId), contentTracks(ctx, contentId)]);
  const tracks = content?.audioTracks ?? [];
  if (captions.length === 0 && tracks.length === 0) return null;
  return masterWithCaptions(masterWithAudio(withoutClosedCaptions(await readStoredText(ctx, key)), tracks), captions);
}

/**
 * Sends a part of captions. An address can contain any times, so an edge caches only the parts that a playlist lists. A grant for a
 * file opens one address. Throws NotFoundError.
 */
async function sendCaptionPart(target: StreamResponse, granted: Granted, part: RequestedCaptionPart): Promise<void> {
  const { ctx } = target;
  const { key, isShared } = granted;
  const { kind, prefix } = granted.grant;
  const { captionId, fromMs, toMs, ...map } = part;
  const contentId = contentIdOfKey(key);
  if (kind !== 'file' && key !== captionPartKey(prefix.slice(0, -1), captionId, part)) throw new NotFoundError();
  // The captions of a preview end with it.
  if (kind === 'preview' && toMs > previewSeconds * 1000) throw new NotFoundError();
  const cues = await cuesOf(ctx, contentId, captionId);
  const isCacheable = kind === 'file' || !isShared || (await isListedPart(ctx, { prefix, contentId }, part));
  const text = await vttFileInSlices(cues.between(fromMs, toMs), map);
  sendBuffer(target, granted, Buffer.from(text), {
    contentType: contentTypes['vtt'] ?? '',
    caching: isCacheable ? playlistCaching : 'no-store',
  });
}

/**
 * A media playlist with CDN addresses: players load its segments without a request to this service. Null: the stored one is sent.
 */
async function playlistOfCdn(ctx: Context, granted: Granted): Promise<string | null> {
  const { delivery, cdnUrl, cdnReportsUsage } = ctx.config.playback;
  const isOnCdn = delivery === 'redirect' && cdnUrl !== null && cdnReportsUsage && !granted.isShared;
  if (!isOnCdn || !isMediaPlaylist(granted.key) || readCaptionPlaylistKey(granted.key)) return null;
  return playlistOnCdn(ctx, cdnUrl, granted, await readStoredText(ctx, granted.key));
}

/** Throws NotFoundError: the content is deleted. */
async function trackedContent(ctx: Context, contentId: string): Promise<TrackedContent> {
  const content = await contentTracks(ctx, contentId);
  if (!content || content.state === 'DELETED') throw new NotFoundError();
  return content;
}

/**
 * Sends a sheet of the storyboard from this process, whatever `PLAYBACK_DELIVERY` says: pages permit no other server for images.
 */
async function sendSheet({ ctx, response }: StreamResponse, { key, count }: Granted, name: string): Promise<void> {
  const { id, folder, storyboard } = await trackedContent(ctx, contentIdOfKey(key));
  if (!storyboard) throw new NotFoundError();
  await sendStoredFile({ ctx, response }, `${contentFolder({ id, folder })}/${storyboard.folder}/${name}`, {
    contentType: 'image/jpeg',
    cacheControl: segmentCaching,
    onSent: count,
  });
}
