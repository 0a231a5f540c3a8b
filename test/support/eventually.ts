import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats `check` until it stops throwing, and resolves with its result; after the deadline its last error is thrown. */
export async function eventually<Result>(
  check: () => Promise<Result> | Result,
  { timeoutMs = 10_000, everyMs = 25 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(everyMs);
    }
  }
}
