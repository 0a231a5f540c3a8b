import type { ServerResponse } from 'node:http';
import { cachingFor, type Granted } from './granted.js';

/** Sends a generated body from this process, whatever `PLAYBACK_DELIVERY` says. Its bytes count towards the publisher's band. */
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
