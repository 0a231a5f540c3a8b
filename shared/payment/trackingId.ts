import { isUuid } from '../platform/formats/format.js';

/** The tracking id of a play request. A value that is no UUID (`""`, `"null"`, `"undefined"`, 7) counts as absent. */
export function trackingIdOf(sent: unknown): string | null {
  const text = typeof sent === 'string' ? sent.trim() : '';
  return isUuid(text) ? text.toLowerCase() : null;
}
