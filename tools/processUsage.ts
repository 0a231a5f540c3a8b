import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;
const sampleEveryMs = 100;

/** Processor time of a process on Linux, including its children that have ended. */
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

/** Reads the memory of a process repeatedly. `stop` returns the maximum in bytes. */
export function watchMemory(pid: number): { stop(): number } {
  let maxBytes = residentBytesOf(pid);
  const timer = setInterval(() => (maxBytes = Math.max(maxBytes, residentBytesOf(pid))), sampleEveryMs);
  return {
    stop() {
      clearInterval(timer);
      return maxBytes;
    },
  };
}
