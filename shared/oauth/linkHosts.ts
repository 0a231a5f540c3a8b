import type { Config } from '../platform/config.js';

const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether a mailed link may lead to this address (`docs/contract.md#choices-users`): the host of `PUBLIC_URL`, an origin
 * of an OAuth client, or a host of `MAIL_LINK_HOSTS`. An entry of that list may name a port; it then allows that port
 * only. A service on the loopback interface may link to any name of it: it is the same machine.
 */
export function isLinkHost({ service, oauth, mail }: Config, address: URL): boolean {
  const own = new URL(service.publicUrl).hostname;
  const known = [own, ...mail.linkHosts, ...(loopbackHosts.includes(own) ? loopbackHosts : [])];
  if (known.includes(address.hostname) || known.includes(address.host)) return true;
  return oauth.clients.some(({ origins }) => origins.includes(address.origin));
}
