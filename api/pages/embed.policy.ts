import type { Context } from '../../shared/platform/context.js';
import type { PageFrame } from './page.js';

/** Content security policy of the player page: only its own scripts run; every site may embed it in a frame. */
export function playerPolicy(ctx: Context, { nonce }: Pick<PageFrame, 'nonce'>): string {
  // Segments may be redirected to the store or a CDN, whose host names are not known here.
  const media = ctx.config.playback.delivery === 'redirect' ? "'self' https: http:" : "'self'";
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    `media-src ${media} blob:`,
    `connect-src ${media}`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; ');
}
