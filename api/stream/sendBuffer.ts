import type { ServerResponse } from 'node:http';
import { cachingFor, type Granted } from './granted.js';

/** Sends what is not stored as it is sent: this process sends it, whatever `PLAYBACK_DELIVERY` says. Its bytes count on the publisher. */
export function sendBuffer(
  { response }: { readonly response: ServerResponse },
  granted: Granted,
  body: Buffer,
  { contentType, caching }: { readonly contentType: string; readonly caching: string },
): void {
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', cachingFor(granted, caching));
  response.setHeader('Content-Length', body.length);
  if (response.req.method !== 'HEAD') granted.count(body.length);
  response.end(body);
}
