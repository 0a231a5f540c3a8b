import { setTimeout as sleep } from 'node:timers/promises';

/** How many times slower this machine is than the reference for the timeouts (`tools/machineSlowness.ts`); at least 1. */
export const slowness = Number(process.env['TEST_SLOWNESS'] ?? 1);

/**
 * Repeats `check` until it stops throwing, and resolves with its result. After `timeoutMs`, multiplied by the measured slowness of
 * the machine, it throws the last error.
 */
export async function eventually<Result>(
  check: () => Promise<Result> | Result,
  { timeoutMs = 10_000, everyMs = 25 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<Result> {
  const deadline = performance.now() + timeoutMs * slowness;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(everyMs);
    }
  }
}

/** The error with which a promise rejects; throws if it resolves. */
export async function rejection(work: Promise<unknown>): Promise<Error> {
  let result: unknown;
  try {
    result = await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error(`the promise resolved: ${JSON.stringify(result)}`);
}
