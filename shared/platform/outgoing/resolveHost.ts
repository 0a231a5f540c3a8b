import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

/** The addresses of a name, as texts. Rejects where there is none. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

interface ResolverOptions {
  /** Name servers in place of those of the system: `127.0.0.1:5353`. */
  readonly servers?: readonly string[];
  /** For each server, and tried twice, the second time for twice as long. */
  readonly timeoutMs?: number;
}

/**
 * Looks names up by DNS. The look-up of the system uses one of two threads of the process until the name server answers: a few names whose
 * server never does would hold up all others, those of the database and the store included. Names of this machine and its network, which
 * strangers cannot choose, are still looked up so: those in the hosts file, and those without a dot.
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
