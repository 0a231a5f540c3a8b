import type { Context } from '../../shared/platform/context.js';
import type { Response } from 'express';
import type { RequestOf } from '../http/route.js';
import { messagePage, sendPage, startLink, type PageFrame } from './pageFrame.js';

/** Content security policy of the player page: runs only its own scripts, and permits frames on every site. */
function playerPolicy({ config }: Context, { nonce }: Pick<PageFrame, 'nonce'>): string {
  // Segments may be redirected to the store or a CDN, and another server of the deployment may send live events.
  const isElsewhere = config.playback.delivery === 'redirect' || config.live.playbackUrl !== null;
  const { delivery, edge } = config.playback;
  const edgeOrigin = delivery === 'edge' && edge.url !== null ? ` ${new URL(edge.url).origin}` : '';
  const media = isElsewhere ? "'self' https: http:" : `'self'${edgeOrigin}`;
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `img-src 'self' data:${edgeOrigin}`,
    // hls.js creates caption tracks with empty `data:` files.
    `media-src ${media} blob: data:`,
    `connect-src ${media}`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; ');
}

/** Sends a page that every site may embed. */
export function sendFramable(ctx: Context, response: Response, frame: PageFrame, page: string, status = 200): void {
  response.removeHeader('X-Frame-Options');
  // The page would contain the tracking id of the request next to the grant.
  const mayCompress = !response.req.url.includes('trackingId');
  sendPage(response, { status, policy: playerPolicy(ctx, frame), page, mayCompress });
}

/** Sends the page of an unknown item. `kind`: the kind of item in the address. */
export function sendUnknownItem(
  { ctx, language, response }: RequestOf<unknown, unknown, unknown>,
  frame: PageFrame,
  kind: '' | 'cast.' = '',
): void {
  const say = (key: string): string => ctx.translate(language, `embed.${kind}${key}`);
  const [title, text] = [say('notFound'), say('notFoundText')];
  sendFramable(ctx, response, frame, messagePage({ ...frame, title, text, way: startLink(ctx, frame) }), 404);
}
