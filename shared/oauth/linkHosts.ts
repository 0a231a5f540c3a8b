import type { Config } from '../platform/config.js';

const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether links in mails may lead to this address (`docs/contract.md#choices-users`): the host of `PUBLIC_URL`, an
 * origin of an OAuth client, or a host of `MAIL_LINK_HOSTS`. An entry of `MAIL_LINK_HOSTS` with a port allows only this
 * port. If the host of `PUBLIC_URL` is a loopback name, all loopback names are allowed.
 */
export function isLinkHost({ service, oauth, mail }: Config, address: URL): boolean {
  const own = new URL(service.publicUrl).hostname;
  const known = [own, ...mail.linkHosts, ...(loopbackHosts.includes(own) ? loopbackHosts : [])];
  if (known.includes(address.hostname) || known.includes(address.host)) return true;
  return oauth.clients.some(({ origins }) => origins.includes(address.origin));
}
