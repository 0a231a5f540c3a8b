import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { withErrorListener } from '../shared/platform/errorListener.js';

/** Duration of this calculation on the reference machine of the tests' deadlines: two idle cores, four processes. */
const referenceMs = 950;

const calculation = "require('node:crypto').pbkdf2Sync('', '', 400_000, 64, 'sha512')";

/**
 * The factor by which this machine is slower than the reference machine when it starts `processes` processes and calculates in all
 * of them concurrently; at least 1. Deadlines of the tests are multiplied by it (`TEST_SLOWNESS`).
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
