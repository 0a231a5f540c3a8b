import type { Response } from 'express';
import { liveScopes } from '../../shared/liveScopes.js';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { countBand } from '../../shared/playback/bandCounter.js';
import { livePlaylist, type AskedPlaylist } from '../../shared/streaming/livePlaylist.queries.js';
import type { LiveScope } from '../../shared/streaming/liveScope.js';
import { initialisationFile, segmentFile, type LiveFile } from '../../shared/streaming/liveTimeline.js';
import { contentTypes, sendStream, type Granted } from './sendStream.js';

interface LiveResponse {
  readonly ctx: Context;
  readonly response: Response;
}

/** The paths below the prefix of a live grant; `docs/contract.md#choices-live`. */
const playlistPath = /^(master|\d{1,4}p)\.m3u8$/;
const segmentPath = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(\d{1,9})\/(\d{1,4}p)\.m4s$/;
const initialisationPath = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/init\/([A-Za-z0-9_-][A-Za-z0-9._-]*\.mp4)$/;

const playlistCaching = 'private, max-age=1';

/**
 * Sends a playlist, which is written from rows, or a segment of what is live in the scope of a grant. Throws NotFoundError:
 * the scope or its stream is deleted, nothing was published in it, or the segment lies outside of it.
 */
export async function sendLive(target: LiveResponse, granted: Granted): Promise<void> {
  const { ctx } = target;
  const { prefix } = granted.grant;
  const path = granted.key.slice(prefix.length);
  const scopeId = prefix.slice('live/'.length, -1);
  const scope = await ctx.liveCaches.scopes.get(scopeId, () => liveScopes.find(ctx, scopeId));
  if (!scope) throw new NotFoundError({ detail: `no live scope ${scopeId}` });
  const [, name] = playlistPath.exec(path) ?? [];
  if (name !== undefined) return sendPlaylist(target, granted, scope, name);
  const file = await fileOf(ctx, scope, path);
  if (!file) throw new NotFoundError({ detail: `nothing live at ${granted.key}` });
  await sendStream(target, { ...granted, key: file.key });
}

async function fileOf(ctx: Context, scope: LiveScope, path: string): Promise<LiveFile | null> {
  const [, sessionId = '', sequence = '', rendition = ''] = segmentPath.exec(path) ?? [];
  if (rendition) return segmentFile(ctx, scope, { sessionId, sequence: Number(sequence), rendition });
  const [, ofSession = '', map = ''] = initialisationPath.exec(path) ?? [];
  return map ? initialisationFile(ctx, scope, { sessionId: ofSession, map }) : null;
}

async function sendPlaylist(
  { ctx, response }: LiveResponse,
  { grant }: Granted,
  scope: LiveScope,
  name: string,
): Promise<void> {
  const playlist = await livePlaylist(ctx, scope, askedPlaylist(response.req.originalUrl, name));
  if (!playlist) throw new NotFoundError({ detail: `nothing published yet in ${grant.prefix}` });
  response.setHeader('Content-Type', contentTypes['m3u8'] ?? '');
  response.setHeader('Cache-Control', playlistCaching);
  let body: string | Buffer = playlist.text;
  if (playlist.gzipped) {
    response.setHeader('Vary', 'Accept-Encoding');
    if (response.req.acceptsEncodings('gzip') === 'gzip') {
      body = await playlist.gzipped;
      response.setHeader('Content-Encoding', 'gzip');
    }
  }
  response.setHeader('Content-Length', body.length);
  if (response.req.method !== 'HEAD') countBand(ctx, grant.publisherCode, body.length);
  // As a text, a short playlist leaves in one write with its headers.
  response.end(body, 'latin1');
}

/** `?dvr=1` asks for rewind, `_HLS_skip` for a delta update. Other parameters are ignored. */
function askedPlaylist(url: string, name: string): AskedPlaylist {
  const query = url.indexOf('?');
  const parameters = new URLSearchParams(query < 0 ? '' : url.slice(query + 1));
  return {
    rendition: name === 'master' ? null : name,
    isRewind: parameters.get('dvr') === '1',
    isDelta: /^(YES|v2)$/.test(parameters.get('_HLS_skip') ?? ''),
  };
}
