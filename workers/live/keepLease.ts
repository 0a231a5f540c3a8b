import type { Logger } from '../../shared/platform/log.js';

/** The lease of a run lasts 10 s, 6 s where it is pulled (`shared/streaming/liveRun.lifecycle.ts`). */
const renewEveryMs = 2_000;
/** After an outage the holder of a lease is the first to return: sweeps wait for longer (`liveProcess.ts`). */
const retryMs = 500;
/**
 * A run goes on for this long without the database. Its segments wait, and the encoder stays connected: this covers a restart
 * of PostgreSQL. The lease may have ended meanwhile, then the next renewal says so.
 */
const withoutDatabaseMs = 45_000;

export type LostReason = 'lease lost' | 'no database';

/**
 * Renews a lease until the returned function is called. `onLost` is called once where the lease belongs to somebody else, or
 * could not be renewed for 45 s.
 */
export function keepLease(options: {
  readonly renew: () => Promise<boolean>;
  readonly onLost: (reason: LostReason) => void;
  readonly log: Logger;
}): () => void {
  const { renew, onLost, log } = options;
  let renewedAt = performance.now();
  let dueAt = renewedAt + renewEveryMs;
  let isRenewing = false;
  let hasFailed = false;
  let isOver = false;
  const stop = (): void => {
    isOver = true;
    clearInterval(timer);
  };
  const lose = (reason: LostReason): void => {
    if (isOver) return;
    stop();
    onLost(reason);
  };
  const renewNow = async (): Promise<void> => {
    const began = performance.now();
    isRenewing = true;
    try {
      if (!(await renew())) return lose('lease lost');
      renewedAt = performance.now();
      dueAt = began + renewEveryMs;
      hasFailed = false;
    } catch (err) {
      // One line for each outage.
      if (!hasFailed && !isOver) log.warn({ err }, 'lease not renewed');
      dueAt = began + retryMs;
      hasFailed = true;
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => {
    if (performance.now() - renewedAt > withoutDatabaseMs) lose('no database');
    else if (!isRenewing && performance.now() >= dueAt) void renewNow();
  }, retryMs);
  return stop;
}
