import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs work again and again, with a pause in between. An error is reported when the previous run had none, so that a server
 * that is down causes one line. Returns the function that ends it, and resolves when no run is in progress.
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
 * The work of a sweep. The first time after a failure it only tests whether the database is back: holders renew their
 * leases before a sweep can end their runs.
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
