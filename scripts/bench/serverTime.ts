import { load, type Load } from './load.js';
import { cpuSecondsOf, descendantsOf } from './processUsage.js';

/** Processes that serve: a process of Node, or the main process of nginx, whose children are found by their name. */
export interface Servers {
  readonly node?: readonly number[];
  readonly nginx?: number;
}

/**
 * Processor time of servers for one request, in milliseconds, user and system together, under a load. The client on the same
 * machine needs more of it than the servers, so the requests of a second would measure the client.
 */
export async function serverMilliseconds({ node = [], nginx }: Servers, of: Load): Promise<number> {
  const used = (): number => {
    const pids = nginx === undefined ? node : [...node, ...descendantsOf(nginx, 'nginx')];
    return pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  };
  const before = used();
  const { requestsPerSecond } = await load(of);
  return (1000 * (used() - before)) / (requestsPerSecond * of.seconds);
}
