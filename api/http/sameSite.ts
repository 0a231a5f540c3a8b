import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page of this service sent the request. A request without `Sec-Fetch-Site` and `Origin` is not from a browser: true.
 */
export function isSameSite(headers: IncomingHttpHeaders, ourHosts: readonly (string | undefined)[]): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (headers.origin === undefined) return true;
  return URL.canParse(headers.origin) && ourHosts.includes(new URL(headers.origin).host);
}
