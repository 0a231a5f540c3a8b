import type { ServerResponse } from 'node:http';
import { ForbiddenError, NotFoundError, PaymentRequiredError } from '../../shared/platform/errors.js';
import type { PlayResult } from '../../shared/playback/playResult.js';

/**
 * Redirects from a URL that never expires to a playlist with its own viewer session. Throws PaymentRequiredError; ForbiddenError:
 * the publisher's band is used up; NotFoundError: nothing is on air.
 */
export function redirectToPlaylist(response: ServerResponse, { result, message, uniqueStreamer }: PlayResult): void {
  if (result === 'MESSAGE') throw new NotFoundError({ detail: message ?? '' });
  if (result === 'PAYMENT_REQUIRED') throw new PaymentRequiredError({ key: 'playback.live.paidAddress' });
  if (result !== 'PLAY')
    throw new ForbiddenError({ key: 'error.forbidden', detail: 'the publisher’s band is used up' });
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Location', uniqueStreamer);
}
