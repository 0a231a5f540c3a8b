import type { ServerResponse } from 'node:http';
import { isGrowingPlaylist } from '../../shared/content/storageKeys.js';
import { segmentBytesOf } from '../../shared/content/segmentSizes.queries.js';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { cdnAddress } from '../../shared/playback/cdnAddress.js';
import { sendStoredFile } from '../http/sendFile.js';
import { cachingFor, growingCaching, playlistCaching, segmentCaching, type Granted } from './granted.js';

interface StreamResponse {
  readonly ctx: Context;
  readonly response: ServerResponse;
}

/** Validity of a presigned URL of the object store. */
const presignedSeconds = 300;

/** Content types by file extension. Other files of the folder are not sent. */
export const contentTypes: Readonly<Record<string, string>> = {
  m3u8: 'application/vnd.apple.mpegurl',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  vtt: 'text/vtt; charset=utf-8',
};

/**
 * Sends a file of a stream, or hands it over to another server. This process always sends playlists itself; segments follow
 * `PLAYBACK_DELIVERY`. Every sent byte counts towards the publisher's band; a file that is handed over counts completely.
 * Throws NotFoundError.
 */
export async function sendStream(target: StreamResponse, granted: Granted): Promise<void> {
  const { ctx } = target;
  const extension = granted.key.slice(granted.key.lastIndexOf('.') + 1);
  const contentType = contentTypes[extension];
  if (contentType === undefined) throw new NotFoundError({ detail: `not a file of a stream: ${granted.key}` });
  const isPlaylist = extension === 'm3u8';
  const { delivery } = ctx.config.playback;
  // HEAD counts no bytes, so its response must not redirect to a server that sends them.
  const isHead = target.response.req.method === 'HEAD';
  if (!isPlaylist && delivery === 'accel' && (await handToProxy(target, granted, contentType))) return;
  if (
    !isPlaylist &&
    delivery === 'redirect' &&
    !isHead &&
    !granted.isShared &&
    (await redirect(target, granted, contentType))
  )
    return;
  await sendStoredFile(target, granted.key, {
    contentType,
    cacheControl: cachingFor(granted, storedCaching(granted.key)),
    onSent: granted.count,
  });
}

/** `Cache-Control` of a stored file. */
export function storedCaching(key: string): string {
  if (!key.endsWith('.m3u8')) return segmentCaching;
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
  const { cdnUrl, cdnReportsUsage } = ctx.config.playback;
  const location = cdnUrl
    ? cdnAddress(ctx, cdnUrl, granted)
    : await ctx.storage.presign(granted.key, { expiresSeconds: presignedSeconds, contentType });
  if (location === null) return false;
  if (!cdnUrl || !cdnReportsUsage) await countHandedOver({ ctx, response }, granted);
  response.statusCode = 302;
  response.setHeader('Location', location);
  response.setHeader('Cache-Control', 'no-store');
  response.end();
  return true;
}

/** Throws NotFoundError if neither the rows nor the store have the file. */
async function countHandedOver({ ctx, response }: StreamResponse, { key, bytes, count }: Granted): Promise<void> {
  // The store is asked last, because a request to it costs more than the rest of the response.
  const known = bytes ?? (await segmentBytesOf(ctx, key)) ?? (await ctx.storage.stat(key))?.bytes;
  if (known === undefined) throw new NotFoundError({ detail: `no stored file ${key}` });
  if (response.req.method !== 'HEAD') count(known);
}
