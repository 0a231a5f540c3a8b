import type { OutgoingResponse } from './outgoingRequest.js';

/**
 * Parses `Retry-After` into milliseconds: seconds, or a date, relative to the server's own time (`Date`). 0 if it is neither. The
 * caller must limit it.
 */
export function retryAfterMs({ 'retry-after': after = '', date = '' }: OutgoingResponse['headers']): number {
  const waitMs = /^\d{1,9}$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.parse(date);
  return Number.isNaN(waitMs) ? 0 : Math.max(0, waitMs);
}
