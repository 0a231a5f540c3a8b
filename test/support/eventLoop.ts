import { cpuUsage } from 'node:process';

/**
 * The longest time in milliseconds for which `work` holds the event loop of this process: the processor time between two of its
 * turns, so that it does not matter what else the machine does.
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
