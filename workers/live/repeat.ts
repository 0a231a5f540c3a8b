import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs work repeatedly, with a pause in between. Reports an error only if the previous run succeeded, so that an outage causes one
 * log line. Returns a function that stops it, and resolves when no run is in progress.
 */
export function repeat(
  pauseMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    let hasFailed = false;
    while (!stopping.signal.aborted) {
      try {
        await work();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) onError(error);
        hasFailed = true;
      }
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const ended = run();
  return () => {
    stopping.abort();
    return ended;
  };
}

/**
 * Wraps a sweep. The first run after a failure only tests whether the database is available, so that lease owners can renew their
 * leases before a sweep ends their runs.
 */
export function exceptAfterFailure(sweep: () => Promise<unknown>, test: () => Promise<unknown>): () => Promise<void> {
  let hasFailed = false;
  return async () => {
    try {
      await (hasFailed ? test() : sweep());
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
}
