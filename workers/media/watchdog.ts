import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { MediaError, MediaStalledError, type MediaRun } from './runner.js';

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
  let lastReadBytes = 0;
  const end = (because: unknown): void => {
    if (force !== undefined) return;
    reason = because;
    child.kill('SIGTERM');
    force = setTimeout(() => child.kill('SIGKILL'), graceMs);
  };
  const abort = (): void => end(signal.reason);
  const timer = setInterval(() => {
    if (performance.now() - silentSince > stallSeconds * 1000)
      end(new MediaStalledError(`no progress for ${stallSeconds} s`));
    void look(child.pid).then(({ memoryBytes, readBytes }) => {
      if (memoryBytes > memoryLimitBytes) end(new MediaError(`more than ${memoryLimitBytes} bytes of memory`));
      if (readBytes > lastReadBytes) silentSince = performance.now();
      lastReadBytes = readBytes;
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

/**
 * What a process holds in memory, and what it has read so far: a decoder on its way to a far chunk prints nothing, but reads.
 * Zeros on systems that do not say.
 */
async function look(pid: number | undefined): Promise<{ memoryBytes: number; readBytes: number }> {
  if (process.platform !== 'linux' || pid === undefined) return { memoryBytes: 0, readBytes: 0 };
  const [memory, traffic] = await Promise.all(
    ['statm', 'io'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  );
  return {
    memoryBytes: Number(memory?.split(' ')[1] ?? 0) * pageBytes,
    readBytes: Number(/^rchar: (\d+)/m.exec(traffic ?? '')?.[1] ?? 0),
  };
}
