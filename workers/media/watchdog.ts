import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { MediaError, type MediaRun } from './runner.js';

/** From SIGTERM to SIGKILL. */
const graceMs = 2_000;
const lookMs = 1_000;
/** Room for five encoders and a decoder of the largest pictures that are taken. */
const memoryLimitBytes = 6 * 1024 ** 3;
const pageBytes = 4096;

/** Watches one child: ends it when the signal is aborted, when it shows no sign of life, or when it eats the machine's memory. */
export interface Watchdog {
  /** The child has made progress. */
  alive(): void;
  /** Ends the child; the run fails with `because`. */
  end(because: unknown): void;
  /** The child has ended: no more watching. */
  stop(): void;
  /** Why the child was ended; undefined where that was not our doing. */
  reason(): unknown;
}

export function watch(child: ChildProcess, { signal, stallSeconds }: MediaRun): Watchdog {
  let reason: unknown;
  let silentSince = performance.now();
  let force: NodeJS.Timeout | undefined;
  const end = (because: unknown): void => {
    if (force !== undefined) return;
    reason = because;
    child.kill('SIGTERM');
    force = setTimeout(() => child.kill('SIGKILL'), graceMs);
  };
  const abort = (): void => end(signal.reason);
  const timer = setInterval(() => {
    if (performance.now() - silentSince > stallSeconds * 1000) end(new MediaError(`no progress for ${stallSeconds} s`));
    void residentBytes(child.pid).then((bytes) => {
      if (bytes > memoryLimitBytes) end(new MediaError(`more than ${memoryLimitBytes} bytes of memory`));
    });
  }, lookMs);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return {
    alive: () => void (silentSince = performance.now()),
    end,
    reason: () => reason,
    stop() {
      clearInterval(timer);
      clearTimeout(force);
      signal.removeEventListener('abort', abort);
    },
  };
}

/** What a process holds in memory; 0 on systems that do not say. */
async function residentBytes(pid: number | undefined): Promise<number> {
  if (process.platform !== 'linux' || pid === undefined) return 0;
  const figures = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  return Number(figures.split(' ')[1] ?? 0) * pageBytes;
}
