import { execFileSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

interface RunningProcess {
  /** In the operating system's format. */
  readonly startTime: string;
  readonly command: string;
}

/** The running process with this pid; null if there is none. */
export function findProcess(pid: number): RunningProcess | null {
  try {
    if (process.platform === 'linux') {
      // proc(5): the start time is field 22. The name, field 2, is in parentheses and may contain spaces.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return {
        startTime: fields[19] ?? '',
        command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
      };
    }
    const ask = (column: string): string =>
      execFileSync('ps', ['-p', String(pid), '-o', `${column}=`], { encoding: 'utf8', stdio: 'pipe' }).trim();
    return { startTime: ask('lstart'), command: ask('command') };
  } catch {
    return null;
  }
}

/** Pid and start time, which identify a process uniquely, because pids are reused. Null if no process has the pid. */
export function identityOf(pid: number): string | null {
  const found = findProcess(pid);
  return found && `${pid} ${found.startTime}`;
}

/** Waits for the end of a process with this text in its command line. It need not be a child process. */
export async function endsWithin(pid: number, text: string, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  // A zombie has an empty command line.
  while (findProcess(pid)?.command.includes(text)) {
    if (Date.now() > deadline) return false;
    await sleep(50);
  }
  return true;
}

/** Kills all processes of the process group that a child leads or has led. */
export function killGroup(leader: ChildProcess): void {
  try {
    if (leader.pid) process.kill(-leader.pid, 'SIGKILL');
  } catch {
    // The group is empty.
  }
}
