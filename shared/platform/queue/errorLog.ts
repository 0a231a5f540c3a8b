import { LRUCache } from 'lru-cache';
import type { Logger } from '../log.js';

const quietMs = 10_000;

/** Logs the errors of queue connections, the same message at most once in ten seconds. */
export function createErrorLog(log: Logger): (error: Error) => void {
  const logged = new LRUCache<string, true>({ max: 100, ttl: quietMs });
  return (error) => {
    if (logged.has(error.message)) return;
    logged.set(error.message, true);
    log.warn({ err: error }, 'queue connection failed');
  };
}
