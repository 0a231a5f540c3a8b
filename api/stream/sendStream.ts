import type { Response } from 'express';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { countBand } from '../../shared/playback/band.js';
import type { Grant } from '../../shared/playback/grant.js';
import { sendStoredFile } from '../http/sendFile.js';

/** A file that a grant opens. */
export interface Granted {
  readonly key: string;
  readonly grant: Grant;
  /** The grant as it stands in the address. */
  readonly segment: string;
}

interface Reply {
  readonly ctx: Context;
  readonly response: Response;
}

/** Playlists are small, and each grant has its own addresses for them. */
const playlistCaching = 'private, max-age=60';
/** A generation is never changed in place. */
const segmentCaching = 'public, max-age=31536000, immutable';
/** How long the store lets a redirected player begin its download. */
const presignedSeconds = 300;

/** What a stream is made of; nothing else is sent, whatever may lie in the folder. */
const contentTypes: Readonly<Record<string, string>> = {
  m3u8: 'application/vnd.apple.mpegurl',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
};

/**
 * Sends a file of a stream, or says who does: playlists come from this process always, segments as `PLAYBACK_DELIVERY`
 * says. Every byte counts on the publisher; where others send, the whole file counts when it is handed over.
 */
export async function sendStream(reply: Reply, granted: Granted): Promise<void> {
  const { ctx } = reply;
  const extension = granted.key.slice(granted.key.lastIndexOf('.') + 1);
  const contentType = contentTypes[extension];
  if (contentType === undefined) throw new NotFoundError({ detail: `no stream is made of ${granted.key}` });
  const isPlaylist = extension === 'm3u8';
  const { delivery } = ctx.config.playback;
  if (!isPlaylist && delivery === 'accel' && (await handToProxy(reply, granted, contentType))) return;
  if (!isPlaylist && delivery === 'redirect' && (await redirect(reply, granted, contentType))) return;
  await sendStoredFile(reply, granted.key, {
    contentType,
    cacheControl: isPlaylist ? playlistCaching : segmentCaching,
    onSent: (bytes) => countBand(ctx, granted.grant.publisherCode, bytes),
  });
}

/** nginx sends the file, with these headers. False where the file is not on this machine's disk. */
async function handToProxy({ ctx, response }: Reply, granted: Granted, contentType: string): Promise<boolean> {
  if (ctx.storage.localPath(granted.key) === null) return false;
  await countHandedOver({ ctx, response }, granted);
  response.setHeader('X-Accel-Redirect', `${ctx.config.playback.accelPrefix}${granted.key}`);
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', segmentCaching);
  response.end();
  return true;
}

/** The object store or the CDN sends the file. False where the store has no addresses of its own. */
async function redirect({ ctx, response }: Reply, granted: Granted, contentType: string): Promise<boolean> {
  const { cdnUrl } = ctx.config.playback;
  const location = cdnUrl
    ? `${cdnUrl.replace(/\/+$/, '')}/${granted.key}?grant=${granted.segment}`
    : await ctx.storage.presign(granted.key, { expiresSeconds: presignedSeconds, contentType });
  if (location === null) return false;
  await countHandedOver({ ctx, response }, granted);
  response.statusCode = 302;
  response.setHeader('Location', location);
  response.setHeader('Cache-Control', 'no-store');
  response.end();
  return true;
}

/** Throws NotFoundError: what is not there is not handed over. */
async function countHandedOver({ ctx, response }: Reply, { key, grant }: Granted): Promise<void> {
  const stored = await ctx.storage.stat(key);
  if (stored === null) throw new NotFoundError({ detail: `no stored file ${key}` });
  if (response.req.method !== 'HEAD') countBand(ctx, grant.publisherCode, stored.bytes);
}
