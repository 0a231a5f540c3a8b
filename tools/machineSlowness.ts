import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { withErrorListener } from '../shared/platform/errorListener.js';

/** What a run of this calculation takes on the machine that the deadlines of the tests are written for: two idle cores, four processes. */
const referenceMs = 950;

const calculation = "require('node:crypto').pbkdf2Sync('', '', 400_000, 64, 'sha512')";

/**
 * How many times slower than the reference machine this machine starts `processes` processes and calculates in all of them
 * at the same time; at least 1. Deadlines of the tests are multiplied by it (`TEST_SLOWNESS`).
 */
export async function measureSlowness(processes: number): Promise<number> {
  const start = performance.now();
  await Promise.all(
    Array.from({ length: processes }, async () => {
      const child = withErrorListener(spawn(process.execPath, ['-e', calculation], { stdio: 'ignore' }));
      await once(child, 'exit');
    }),
  );
  return Math.max(1, (performance.now() - start) / referenceMs);
}
