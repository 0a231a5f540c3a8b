import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;
const sampleEveryMs = 100;

/** Processor time of a process on Linux, with that of its children that have ended. */
export function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // utime, stime, cutime, cstime: fields 14 to 17 of proc(5).
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticksPerSecond;
}

/** Memory of a process on Linux. */
export function residentBytesOf(pid: number): number {
  const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

/** The processes of one program that a process has started, also through others. */
export function descendantsOf(pid: number, program: string): number[] {
  const parents = new Map<number, { parent: number; program: string }>();
  for (const one of readdirSync('/proc')
    .map(Number)
    .filter((number) => number > 0)) {
    const [, name = '', parent] = /\((.*)\) \S (\d+)/.exec(statOf(one)) ?? [];
    parents.set(one, { parent: Number(parent), program: name });
  }
  const isDescendant = (one: number): boolean => {
    const parent = parents.get(one)?.parent ?? 0;
    return parent === pid || (parent > 1 && isDescendant(parent));
  };
  return [...parents].filter(([one, found]) => found.program === program && isDescendant(one)).map(([one]) => one);
}

/** Empty where the process has ended meanwhile. */
function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

/** Reads the memory of processes until `stop`. */
export function watchMemory(pids: Readonly<Record<string, number>>): { most(name: string): number; stop(): void } {
  const most = new Map<string, number>();
  const timer = setInterval(() => {
    for (const [name, pid] of Object.entries(pids)) most.set(name, Math.max(most.get(name) ?? 0, residentBytesOf(pid)));
  }, sampleEveryMs);
  return { most: (name) => most.get(name) ?? Number.NaN, stop: () => clearInterval(timer) };
}
