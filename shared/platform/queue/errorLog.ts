import type { Logger } from '../log.js';

const quietMs = 10_000;

/** Logs the errors of queue connections, the same message at most once in ten seconds. */
export function createErrorLog(log: Logger): (error: Error) => void {
  const last = new Map<string, number>();
  return (error) => {
    const now = performance.now();
    const before = last.get(error.message);
    if (before !== undefined && now - before < quietMs) return;
    if (last.size > 100) last.clear();
    last.set(error.message, now);
    log.warn({ err: error }, 'queue connection failed');
  };
}
