import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { faultOfQueue, type IsUnreachable, type QueueServerError } from './queueServerError.js';

const quietMs = 10_000;
/** Locks expire while the server is down. Each job in progress reports this at its next renewal and at its end. */
const lostInOutageMs = 60_000;
const lockLost = /^(Missing lock for|could not renew lock for) job /;

/**
 * Logs the errors of connections to a queue server, the same message at most once in ten seconds. A lock lost in an outage is
 * logged at `debug`: the outage itself is logged, and the job is back in the queue.
 */
export function createErrorLog(
  log: Logger,
  server: QueueServerError['server'],
  isUnreachable: IsUnreachable,
): (error: Error) => void {
  const logged = new LRUCache<string, true>({ max: 100, ttl: quietMs });
  let unreachableAtMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    const err = faultOfQueue(server, isUnreachable, error);
    if (err !== error) unreachableAtMs = performance.now();
    if (logged.has(error.message)) return;
    logged.set(error.message, true);
    const isOfOutage = lockLost.test(error.message) && performance.now() - unreachableAtMs < lostInOutageMs;
    log[isOfOutage ? 'debug' : 'warn'](
      { err },
      isOfOutage ? 'job lock lost during an outage' : 'queue connection failed',
    );
  };
}
