import type { ServerResponse } from 'node:http';
import accepts from 'accepts';
import type { Context } from '../../shared/platform/context.js';
import { countBand } from '../../shared/playback/bandCounter.js';
import type { WrittenPlaylist } from '../../shared/streaming/writtenPlaylist.js';
import { contentTypes, type Granted } from './sendStream.js';

/** Of a list to which segments are added. */
const growingCaching = 'private, max-age=1';

/** Sends a playlist that this process has written, compressed where the client accepts it. */
export async function sendPlaylist(
  { ctx, response }: { readonly ctx: Context; readonly response: ServerResponse },
  { grant }: Granted,
  { text, gzipped }: WrittenPlaylist,
  caching = growingCaching,
): Promise<void> {
  response.setHeader('Content-Type', contentTypes['m3u8'] ?? '');
  response.setHeader('Cache-Control', caching);
  let body: string | Buffer = text;
  if (gzipped) {
    response.setHeader('Vary', 'Accept-Encoding');
    if (response.req.headers['accept-encoding'] && accepts(response.req).encodings('gzip') === 'gzip') {
      body = await gzipped;
      response.setHeader('Content-Encoding', 'gzip');
    }
  }
  response.setHeader('Content-Length', body.length);
  if (response.req.method !== 'HEAD') countBand(ctx, grant.publisherCode, body.length);
  // As a text, a short playlist leaves in one write with its headers.
  response.end(body, 'latin1');
}
