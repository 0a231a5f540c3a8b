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
