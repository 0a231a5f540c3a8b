import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** When jobs began: milliseconds of the clock of this machine by the id of the job. */
export type StartTimes = Readonly<Record<string, number>>;

/** The time of day in milliseconds, with fractions; the same in all processes of a machine. */
export const timeOfDayMs = (): number => performance.timeOrigin + performance.now();

const pollMs = 20;
const maxMs = 300_000;

/** For a process that runs jobs: notes each start, and writes all to `path` when `count` jobs have begun. */
export function noteStarts(path: string, count: number): (id: string) => void {
  const starts: Record<string, number> = {};
  let noted = 0;
  return (id) => {
    starts[id] = timeOfDayMs();
    noted += 1;
    if (noted === count)
      void writeFile(`${path}.part`, JSON.stringify(starts)).then(() => rename(`${path}.part`, path));
  };
}

/** Waits for the file of `noteStarts`. */
export async function readStarts(path: string): Promise<StartTimes> {
  for (const deadline = performance.now() + maxMs; ; await sleep(pollMs)) {
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text !== null) return JSON.parse(text) as StartTimes;
    if (performance.now() > deadline) throw new Error(`the jobs have not begun within ${maxMs / 1000} s`);
  }
}
