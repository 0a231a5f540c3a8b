import type { ServerResponse } from 'node:http';
import { ForbiddenError, NotFoundError, PaymentRequiredError } from '../../shared/platform/errors.js';
import type { PlayResult } from '../../shared/playback/playResult.js';

/**
 * Redirects from an address that never expires to a playlist of a session of its own. Throws PaymentRequiredError; ForbiddenError: the
 * publisher has no band left; NotFoundError: nothing plays now.
 */
export function redirectToPlaylist(response: ServerResponse, { result, message, uniqueStreamer }: PlayResult): void {
  if (result === 'MESSAGE') throw new NotFoundError({ detail: message ?? '' });
  if (result === 'PAYMENT_REQUIRED') throw new PaymentRequiredError({ key: 'playback.live.paidAddress' });
  if (result !== 'PLAY') throw new ForbiddenError({ key: 'error.forbidden', detail: 'the publisher has no band left' });
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Location', uniqueStreamer);
}
