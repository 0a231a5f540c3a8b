import { LRUCache } from 'lru-cache';
import type { Logger } from '../log.js';
import { faultOfQueue } from '../readiness/awayDependency.js';
import type { QueueServerError } from './queueServerError.js';

const quietMs = 10_000;

/** Logs the errors of connections to a queue server, the same message at most once in ten seconds. */
export function createErrorLog(log: Logger, server: QueueServerError['server']): (error: Error) => void {
  const logged = new LRUCache<string, true>({ max: 100, ttl: quietMs });
  return (error) => {
    if (logged.has(error.message)) return;
    logged.set(error.message, true);
    log.warn({ err: faultOfQueue(server, error) }, 'queue connection failed');
  };
}
