import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { NotMeasured } from './figure.js';
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
export async function serverMilliseconds(servers: Servers, of: Load): Promise<number> {
  const before = usedSeconds(servers);
  const { requestsPerSecond } = await load(of);
  return (1000 * (usedSeconds(servers) - before)) / (requestsPerSecond * of.seconds);
}

const clients = 4;

/**
 * The same of a file that is downloaded so many times by four processes of curl. A client of Node takes several milliseconds for a megabyte: the
 * server would mostly wait, and what it does beside would count.
 *
 * @throws NotMeasured where there is no curl.
 */
export async function downloadMilliseconds(servers: Servers, url: string, requests: number): Promise<number> {
  const each = Math.ceil(requests / clients);
  const counted = `${url}${url.includes('?') ? '&' : '?'}download=[1-${each}]`;
  const before = usedSeconds(servers);
  const download = () => promisify(execFile)('curl', ['--silent', '--fail', '--output', '/dev/null', counted]);
  await Promise.all(Array.from({ length: clients }, download)).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new NotMeasured('there is no curl') : error;
  });
  return (1000 * (usedSeconds(servers) - before)) / (each * clients);
}

function usedSeconds({ node = [], nginx }: Servers): number {
  const pids = nginx === undefined ? node : [...node, ...descendantsOf(nginx, 'nginx')];
  return pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
}
