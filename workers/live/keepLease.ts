import type { Logger } from '../../shared/platform/log.js';

/** The lease of a run lasts 10 s (`shared/streaming/run.lifecycle.ts`). */
const renewEveryMs = 2_000;
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
  let isRenewing = false;
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
    isRenewing = true;
    try {
      if (await renew()) renewedAt = performance.now();
      else lose('lease lost');
    } catch (err) {
      if (!isOver) log.warn({ err }, 'lease not renewed');
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => {
    if (performance.now() - renewedAt > withoutDatabaseMs) lose('no database');
    else if (!isRenewing) void renewNow();
  }, renewEveryMs);
  return stop;
}
