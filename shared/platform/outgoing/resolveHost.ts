import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

/** Resolves with the IP addresses of a host name. Rejects if it has none. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

interface ResolverOptions {
  /** Name servers that replace those of the system: `127.0.0.1:5353`. */
  readonly servers?: readonly string[];
  /** Per server and attempt; each server is tried twice, the second time for twice as long. */
  readonly timeoutMs?: number;
}

/**
 * Resolves names with DNS queries instead of `dns.lookup`, which blocks one of the two libuv threads for slow work until the name
 * server answers: two names with an unresponsive server would delay all other lookups of the process, including those of the
 * database and the object store. Names without a dot and names in the hosts file still use `dns.lookup`, because users cannot
 * control their servers.
 */
export function hostResolver({ servers, timeoutMs = 2_000 }: ResolverOptions = {}): ResolveHost {
  return async (name) => {
    const hosts = await readFile('/etc/hosts', 'utf8').catch(() => '');
    if (!name.includes('.') || hosts.split(/\s+/).includes(name))
      return (await lookup(name, { all: true })).map(({ address }) => address);
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
    if (servers) resolver.setServers(servers);
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const [first] = found;
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason;
    return addresses;
  };
}
