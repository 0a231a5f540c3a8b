import type { ServerResponse } from 'node:http';
import { isGrowingPlaylist } from '../../shared/content/storageKeys.js';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { withoutTrailing } from '../../shared/platform/formats/trailing.js';
import { countBand } from '../../shared/playback/bandCounter.js';
import { writeGrant, type Grant } from '../../shared/playback/grant.js';
import { sendStoredFile } from '../http/sendFile.js';

/** A stored file that a grant opens. */
export interface Granted {
  readonly key: string;
  readonly grant: Grant;
  /** The grant as it was sent. */
  readonly segment: string;
}

interface StreamResponse {
  readonly ctx: Context;
  readonly response: ServerResponse;
}

/** Of lists that do not change. They are small, and every grant has its own URLs for them. */
export const playlistCaching = 'private, max-age=60';
/** Of the lists of a content that is still made: players ask whether they have changed. */
const growingCaching = 'private, no-cache';
/** The files of a generation never change. */
export const segmentCaching = 'public, max-age=31536000, immutable';
/** How long a presigned URL of the store is valid. */
const presignedSeconds = 300;

/** The files of a stream. No other file of the folder is sent. */
export const contentTypes: Readonly<Record<string, string>> = {
  m3u8: 'application/vnd.apple.mpegurl',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  vtt: 'text/vtt; charset=utf-8',
};

/**
 * Sends a file of a stream, or hands it over to the server that sends it. Playlists are always sent by this process,
 * segments as `PLAYBACK_DELIVERY` says. Every byte counts on the publisher; a file that is handed over counts whole.
 * Throws NotFoundError.
 */
export async function sendStream(target: StreamResponse, granted: Granted): Promise<void> {
  const { ctx } = target;
  const extension = granted.key.slice(granted.key.lastIndexOf('.') + 1);
  const contentType = contentTypes[extension];
  if (contentType === undefined) throw new NotFoundError({ detail: `not a file of a stream: ${granted.key}` });
  const isPlaylist = extension === 'm3u8';
  const { delivery } = ctx.config.playback;
  // HEAD counts nothing, so it gets no address that others send the bytes from.
  const isHead = target.response.req.method === 'HEAD';
  if (!isPlaylist && delivery === 'accel' && (await handToProxy(target, granted, contentType))) return;
  if (!isPlaylist && delivery === 'redirect' && !isHead && (await redirect(target, granted, contentType))) return;
  await sendStoredFile(target, granted.key, {
    contentType,
    cacheControl: cachingOf(granted.key, isPlaylist),
    onSent: (bytes) => countBand(ctx, granted.grant.publisherCode, bytes),
  });
}

function cachingOf(key: string, isPlaylist: boolean): string {
  if (!isPlaylist) return segmentCaching;
  return isGrowingPlaylist(key) ? growingCaching : playlistCaching;
}

/** nginx sends the file with these headers. False if the file is not on the local disk. */
async function handToProxy({ ctx, response }: StreamResponse, granted: Granted, contentType: string): Promise<boolean> {
  if (ctx.storage.localPath(granted.key) === null) return false;
  await countHandedOver({ ctx, response }, granted);
  response.setHeader('X-Accel-Redirect', `${ctx.config.playback.accelPrefix}${granted.key}`);
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', segmentCaching);
  response.end();
  return true;
}

/** The object store or the CDN sends the file. False if the store has no presigned URLs. */
async function redirect({ ctx, response }: StreamResponse, granted: Granted, contentType: string): Promise<boolean> {
  const { cdnUrl } = ctx.config.playback;
  const location = cdnUrl
    ? `${withoutTrailing(cdnUrl, '/')}/${granted.key}?grant=${grantForCdn(ctx, granted)}`
    : await ctx.storage.presign(granted.key, { expiresSeconds: presignedSeconds, contentType });
  if (location === null) return false;
  await countHandedOver({ ctx, response }, granted);
  response.statusCode = 302;
  response.setHeader('Location', location);
  response.setHeader('Cache-Control', 'no-store');
  response.end();
  return true;
}

/**
 * A CDN can verify a grant with the path alone (`docs/decisions/playback.md`). A live grant names a scope, whose files only
 * this service can find: so each file gets a grant of its own.
 */
function grantForCdn({ config }: Context, { key, grant, segment }: Granted): string {
  return grant.kind === 'live' ? writeGrant(config.playback.keys, { ...grant, prefix: key }) : segment;
}

/** Throws NotFoundError if the file does not exist. */
async function countHandedOver({ ctx, response }: StreamResponse, { key, grant }: Granted): Promise<void> {
  const stored = await ctx.storage.stat(key);
  if (stored === null) throw new NotFoundError({ detail: `no stored file ${key}` });
  if (response.req.method !== 'HEAD') countBand(ctx, grant.publisherCode, stored.bytes);
}
