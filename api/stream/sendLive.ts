import type { ServerResponse } from 'node:http';
import { liveCaches, initialisationFile, segmentFile, type LiveFile } from '../../shared/streaming/liveTimeline.js';
import { liveScopes } from '../../shared/liveScopes.js';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError, UnavailableError } from '../../shared/platform/errors.js';
import { newestStillImage } from '../../shared/streaming/newestStillImage.queries.js';
import { reloadTargetOf } from '../../shared/streaming/lowLatency/blockingReload.js';
import {
  livePlaylist,
  type RequestedPlaylist,
  type FoundPlaylist,
} from '../../shared/streaming/livePlaylist.queries.js';
import type { LiveScope } from '../../shared/streaming/liveScope.js';
import { findPartsInitialisation, findPart } from '../../shared/streaming/lowLatency/streamParts.js';
import { requestTarget } from '../http/requestLog.js';
import { sendStoredFile } from '../http/sendFile.js';
import { sendBuffer } from './sendBuffer.js';
import { liveCaching, sendPlaylist } from './sendPlaylist.js';
import { cachingFor, segmentCaching, type Granted } from './granted.js';
import { continuousPlaylist, sendContinuousLive } from './sendContinuousLive.js';
import { contentTypes, sendStream } from './sendStream.js';

interface LiveResponse {
  readonly ctx: Context;
  readonly response: ServerResponse;
}

/**
 * For a blocking reload whose playlist contains the awaited segment or part. RFC 8216bis (draft) recommends to cache it, so that an
 * edge can answer later viewers.
 */
const awaitedCaching = 'private, max-age=6';
/** For a playlist without the awaited segment or part. A stale copy would delay every viewer who waits for the same one. */
const unreachedCaching = `${liveCaching}, must-revalidate`;

/** The paths below the prefix of a live grant; `docs/contract.md#choices-live`. */
const playlistPath = /^(master|\d{1,4}p)\.m3u8$/;
const stillImagePath = 'still.jpg';
const segmentPath = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(0|[1-9]\d{0,8})\/(\d{1,4}p)\.m4s$/;
const initialisationPath = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/init\/([A-Za-z0-9_-][A-Za-z0-9._-]*\.mp4)$/;
const partPath = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(0|[1-9]\d{0,8})\/(0|[1-9]\d{0,2})\/(\d{1,4}p)\.m4s$/;

/**
 * Sends a playlist, which is generated from rows, a segment, a part or a still image in the scope of a live grant. Throws
 * NotFoundError: the scope or its stream is deleted, no media were published in it, or the segment is outside of it;
 * ValidationError: the client waits for a segment that is too far ahead; UnavailableError: the part is lost.
 */
export async function sendLive(target: LiveResponse, granted: Granted): Promise<void> {
  const { ctx } = target;
  const { prefix } = granted.grant;
  const path = granted.key.slice(prefix.length);
  const scopeId = prefix.slice('live/'.length, -1);
  const scope = await liveCaches(ctx).scopes.get(scopeId, () => liveScopes.find(ctx, scopeId));
  if (!scope) throw new NotFoundError({ detail: `no live scope ${scopeId}` });
  const [, name] = playlistPath.exec(path) ?? [];
  const requested =
    name === undefined ? continuousPlaylist(path) : requestedPlaylist(requestTarget(target.response.req), name);
  if (requested) return sendLivePlaylist(target, granted, scope, requested);
  if (path.startsWith('continuous/')) return sendContinuousLive(target, granted, scope, path);
  if (path === stillImagePath) return sendStillImage(target, granted, scope);
  const [, runId = '', number, part, rendition = ''] = partPath.exec(path) ?? [];
  if (number !== undefined) {
    const address = { runId, number: Number(number), part: Number(part), rendition };
    const media = await findPart(ctx, scope, address, untilClosed(target.response));
    // The player reloads the playlist, which no longer lists the part. After a 404 it would treat the stream as ended.
    if (media === 'UNAVAILABLE') throw new UnavailableError({ key: 'error.unavailable', detail: `part lost: ${path}` });
    if (media) return sendMedia(target, granted, media, 'm4s');
  }
  const file = await fileOf(ctx, scope, path);
  const initialisation = file ? null : await unstoredInitialisation(ctx, scope, path);
  if (initialisation) return sendMedia(target, granted, initialisation, 'mp4');
  if (!file) throw new NotFoundError({ detail: `nothing live at ${granted.key}` });
  await sendStream(target, { ...granted, ...file });
}

/** Sends it from this process, whatever `PLAYBACK_DELIVERY` says: pages permit no other server for images. */
async function sendStillImage(target: LiveResponse, granted: Granted, scope: LiveScope): Promise<void> {
  const image = await newestStillImage(target.ctx, scope);
  if (!image) throw new NotFoundError({ detail: `no still image in ${granted.grant.prefix}` });
  await sendStoredFile(target, image.key, {
    contentType: 'image/jpeg',
    cacheControl: cachingFor(granted, 'private, max-age=10'),
    onSent: granted.count,
  });
}

async function fileOf(ctx: Context, scope: LiveScope, path: string): Promise<LiveFile | null> {
  const [, sessionId = '', sequence = '', rendition = ''] = segmentPath.exec(path) ?? [];
  if (rendition) return segmentFile(ctx, scope, { sessionId, sequence: Number(sequence), rendition });
  const [, ofSession = '', map = ''] = initialisationPath.exec(path) ?? [];
  return map ? initialisationFile(ctx, scope, { sessionId: ofSession, map }) : null;
}

async function unstoredInitialisation(ctx: Context, scope: LiveScope, path: string): Promise<Buffer | null> {
  const [, sessionId = '', map = ''] = initialisationPath.exec(path) ?? [];
  return map ? findPartsInitialisation(ctx, scope, { sessionId, map }) : null;
}

function sendMedia(target: LiveResponse, granted: Granted, media: Buffer, extension: 'm4s' | 'mp4'): void {
  sendBuffer(target, granted, media, { contentType: contentTypes[extension] ?? '', caching: segmentCaching });
}

/** Aborts when the client has closed the connection. */
function untilClosed(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return closed.signal;
}

async function sendLivePlaylist(
  { ctx, response }: LiveResponse,
  granted: Granted,
  scope: LiveScope,
  requested: RequestedPlaylist,
): Promise<void> {
  const found = await livePlaylist(ctx, scope, requested, requested.target && untilClosed(response));
  if (!found) throw new NotFoundError({ detail: `nothing published yet in ${granted.grant.prefix}` });
  await sendPlaylist({ response }, granted, found.playlist, cachingOf(requested, found));
}

/** An address can name any rendition and wait for any media: an edge caches only responses that players need. */
function cachingOf({ target }: RequestedPlaylist, { hasTarget, isPlausible, isOffered }: FoundPlaylist): string {
  if (!isPlausible || !isOffered) return 'no-store';
  if (hasTarget) return awaitedCaching;
  return target ? unreachedCaching : liveCaching;
}

/**
 * `?dvr=1` requests rewind, `_HLS_skip` a delta update, `_HLS_msn` and `_HLS_part` a blocking reload. Other parameters are ignored.
 * Throws ValidationError.
 */
function requestedPlaylist(url: string, name: string): RequestedPlaylist {
  const query = url.indexOf('?');
  const parameters = new URLSearchParams(query < 0 ? '' : url.slice(query + 1));
  return {
    rendition: name === 'master' ? null : name,
    isContinuous: false,
    isRewind: parameters.get('dvr') === '1',
    isDelta: /^(YES|v2)$/.test(parameters.get('_HLS_skip') ?? ''),
    target: name === 'master' ? null : reloadTargetOf(parameters),
  };
}
