import { cpuUsage } from 'node:process';

/**
 * The maximum time in milliseconds for which `work` blocks the event loop of this process, as CPU time between two
 * iterations, so that other programs of the machine have no influence.
 */
export async function maxSliceMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = cpuUsage();
  let isOver = false;
  const measure = (): void => {
    const now = cpuUsage();
    longest = Math.max(longest, now.user - before.user + now.system - before.system);
    before = now;
    if (!isOver) setImmediate(measure);
  };
  setImmediate(measure);
  try {
    await work();
  } finally {
    isOver = true;
  }
  return longest / 1000;
}
