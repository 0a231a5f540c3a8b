import type { ServerResponse } from 'node:http';
import accepts from 'accepts';
import type { WrittenPlaylist } from '../../shared/streaming/writtenPlaylist.js';
import { cachingFor, type Granted } from './granted.js';
import { contentTypes } from './sendStream.js';

/** For a playlist to which segments are added. */
export const liveCaching = 'private, max-age=1';

/** Sends a playlist that this process has generated, compressed if the client accepts it. */
export async function sendPlaylist(
  { response }: { readonly response: ServerResponse },
  granted: Granted,
  { text, gzipped }: WrittenPlaylist,
  caching = liveCaching,
): Promise<void> {
  response.setHeader('Content-Type', contentTypes['m3u8'] ?? '');
  response.setHeader('Cache-Control', cachingFor(granted, caching));
  let body: string | Buffer = text;
  if (gzipped) {
    response.setHeader('Vary', 'Accept-Encoding');
    if (response.req.headers['accept-encoding'] && accepts(response.req).encodings('gzip') === 'gzip') {
      body = await gzipped;
      response.setHeader('Content-Encoding', 'gzip');
    }
  }
  response.setHeader('Content-Length', body.length);
  if (response.req.method !== 'HEAD') granted.count(body.length);
  // Node sends a string in one write with the headers.
  response.end(body, 'latin1');
}
