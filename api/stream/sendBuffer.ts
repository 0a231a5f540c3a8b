import type { ServerResponse } from 'node:http';
import type { Context } from '../../shared/platform/context.js';
import { countBand } from '../../shared/playback/bandCounter.js';
import type { Granted } from './sendStream.js';

/** Sends what is not stored as it is sent: this process sends it, whatever `PLAYBACK_DELIVERY` says. Its bytes count on the publisher. */
export function sendBuffer(
  { ctx, response }: { readonly ctx: Context; readonly response: ServerResponse },
  { grant }: Granted,
  body: Buffer,
  { contentType, caching }: { readonly contentType: string; readonly caching: string },
): void {
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', caching);
  response.setHeader('Content-Length', body.length);
  if (response.req.method !== 'HEAD') countBand(ctx, grant.publisherCode, body.length);
  response.end(body);
}
