import { execFileSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether a process with this id runs and has the text in its command line: ids alone are given out again. */
export function isRunning(pid: number, text: string): boolean {
  return commandOf(pid)?.includes(text) ?? false;
}

/** Waits for the end of a process that need not be a child of ours. */
export async function endsWithin(pid: number, text: string, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (isRunning(pid, text)) {
    if (Date.now() > deadline) return false;
    await sleep(50);
  }
  return true;
}

/** Id and start time: names a process for good. Null where none has the id. */
export function identityOf(pid: number): string | null {
  const started = startOf(pid);
  return started === null ? null : `${pid} ${started}`;
}

/** Kills a process that leads a group, or has led it, with everything it has started. */
export function killGroup(leader: ChildProcess): void {
  try {
    if (leader.pid) process.kill(-leader.pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

function commandOf(pid: number): string | null {
  // A dead process that its parent has not asked about yet has an empty command line.
  if (process.platform === 'linux') return contentOf(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') || null;
  return askPs(pid, 'command=');
}

function startOf(pid: number): string | null {
  // proc(5): the 22nd field, counted behind the parentheses, which a name may hold itself.
  if (process.platform === 'linux')
    return (
      contentOf(`/proc/${pid}/stat`)
        ?.replace(/^.*\) /s, '')
        .split(' ')[19] ?? null
    );
  return askPs(pid, 'lstart=');
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function askPs(pid: number, column: string): string | null {
  try {
    return (
      execFileSync('ps', ['-p', String(pid), '-o', column], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim() || null
    );
  } catch {
    return null;
  }
}
