import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, slowness } from './eventually.js';
import { watchLog, watchPrintedWarnings } from './warnings.js';

const entryPoints = {
  web: 'api/main.js',
  worker: 'workers/main.js',
  live: 'workers/live.js',
  clock: 'workers/clock.js',
} as const;

/** The build of these tests. */
const ownBuild = fileURLToPath(new URL('../..', import.meta.url));

const stopWithParent = fileURLToPath(new URL('../../scripts/embedded/stopWithParent.js', import.meta.url));

/** A built process, run as in a deployment. */
export interface BuiltProcess {
  readonly pid: number;
  /** Its output so far. */
  output(): string;
  /** Stops reading its output: the pipe is closed, or only unread. */
  leaveOutput(how: 'closed' | 'unread'): void;
  /** Sends a signal and waits for the end; resolves with the exit code, or the signal's name. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/**
 * Starts a built process of this build or of another folder, and resolves when it logs that it is ready; rejects with its
 * output if it ends before.
 */
export async function startBuilt(
  kind: keyof typeof entryPoints,
  env: Readonly<Record<string, string>>,
  build = ownBuild,
): Promise<BuiltProcess> {
  const child = fork(join(build, entryPoints[kind]), [], {
    execArgv: ['--enable-source-maps', '--import', stopWithParent],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let printed = '';
  child.stdout?.on('data', (data: Buffer) => (printed += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (printed += data.toString()));
  watchPrintedWarnings(child.stderr);
  watchLog(child.stdout);
  await readiness(child, () => printed);
  return {
    pid: child.pid as number,
    output: () => printed,
    leaveOutput(how) {
      for (const stream of [child.stdout, child.stderr]) {
        if (how === 'closed') stream?.destroy();
        else stream?.pause();
      }
    },
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit');
        child.kill(signal);
        await exit;
      }
      return child.exitCode ?? (child.signalCode as NodeJS.Signals);
    },
  };
}

function readiness(child: ChildProcess, printed: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timeoutMs = 30_000 * slowness;
    const giveUp = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`not ready within ${timeoutMs} ms:\n${printed()}`));
    }, timeoutMs);
    child.once('message', () => {
      clearTimeout(giveUp);
      resolve();
    });
    child.once('exit', (code, signal) => {
      clearTimeout(giveUp);
      reject(new Error(`ended with ${code ?? signal} before it was ready:\n${printed()}`));
    });
  });
}

/** The port of a live process started with `RTMP_PORT=0` that logs at `info`. */
export function rtmpPortOf(live: BuiltProcess): Promise<number> {
  return eventually(() => {
    const [, port] = /"port":(\d+)[^\n]*"RTMP server listening"/.exec(live.output()) ?? [];
    if (!port) throw new Error(`no RTMP port in the log:\n${live.output()}`);
    return Number(port);
  });
}

/** The children of a process, with their command lines. Linux only. */
export function childrenOf(parent: number): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1]) === parent)
    .map((pid) => ({ pid, command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }));
}

/** Empty if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

export { freePort } from '../../scripts/embedded/freePort.js';
