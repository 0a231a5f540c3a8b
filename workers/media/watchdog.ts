import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { freeBytesOf } from '../../shared/platform/storage/freeSpace.js';
import { MediaError, MediaStalledError, type MediaRun } from './runner.js';

/** Time from SIGTERM to SIGKILL. */
const graceMs = 2_000;
const checkEveryMs = 1_000;
/** Longer than pauses of a slow disk or an overloaded machine. */
const usualStallSeconds = 90;
/** Enough for five encoders and a decoder of the largest permitted frame size. */
const memoryLimitBytes = 6 * 1024 ** 3;
const pageBytes = 4096;
/** `USER_HZ` of Linux, on all architectures that Node runs on. */
const ticksInSecond = 100;

/**
 * Watches a child process, and ends it when the signal is aborted, when it makes no progress, or when it uses too much memory or
 * processor time.
 */
export interface Watchdog {
  /** Called when the child has made progress. */
  progress(): void;
  /** Suspends the check for progress until the returned function is called. */
  pause(): () => void;
  /** Ends the child; the run fails with this error. `afterMs`: time for the child to end by itself. */
  end(error: unknown, afterMs?: number): void;
  /** Whether this watchdog has sent a signal to the child. */
  hasSignalled(): boolean;
  /** Called when the child has ended. */
  stop(): void;
  /** The smallest measured free space on the disk of the child's folder; Infinity if none was measured. */
  lowestFreeBytes(): number;
  /** The error with which the run fails; undefined if the watchdog has not ended the child. */
  reason(): unknown;
}

/** `folder`: the folder of the child's output files. */
export function watch(
  child: ChildProcess,
  { signal, stallSeconds = usualStallSeconds, maxProcessorSeconds = Number.POSITIVE_INFINITY }: MediaRun,
  folder?: string,
): Watchdog {
  let lowestFreeBytes = Infinity;
  let reason: unknown;
  let lastProgressAt = performance.now();
  /** The timer of the next signal. */
  let next: NodeJS.Timeout | undefined;
  let lastReadBytes = 0;
  let pauses = 0;
  let isSignalled = false;
  const signalEnd = (): void => {
    isSignalled = true;
    child.kill('SIGTERM');
    next = setTimeout(() => child.kill('SIGKILL'), graceMs);
  };
  const end = (error: unknown, afterMs = 0): void => {
    if (next !== undefined) return;
    reason = error;
    if (afterMs > 0) next = setTimeout(signalEnd, afterMs);
    else signalEnd();
  };
  const abort = (): void => end(signal.reason);
  const timer = setInterval(() => {
    if (pauses === 0 && performance.now() - lastProgressAt > stallSeconds * 1000)
      end(new MediaStalledError(`no progress for ${stallSeconds} s`));
    if (folder !== undefined)
      freeBytesOf(folder).then(
        (bytes) => (lowestFreeBytes = Math.min(lowestFreeBytes, bytes)),
        () => {},
      );
    void usageOf(child.pid).then(({ memoryBytes, readBytes, processorSeconds }) => {
      if (memoryBytes > memoryLimitBytes) end(new MediaError(`more than ${memoryLimitBytes} bytes of memory`));
      if (processorSeconds > maxProcessorSeconds)
        end(new MediaError(`more than ${maxProcessorSeconds} s of processor time`));
      if (readBytes > lastReadBytes) lastProgressAt = performance.now();
      lastReadBytes = readBytes;
    });
  }, checkEveryMs);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return {
    progress: () => void (lastProgressAt = performance.now()),
    pause() {
      pauses += 1;
      return () => {
        pauses -= 1;
        lastProgressAt = performance.now();
      };
    },
    end,
    hasSignalled: () => isSignalled,
    lowestFreeBytes: () => lowestFreeBytes,
    reason: () => reason,
    stop() {
      clearInterval(timer);
      clearTimeout(next);
      signal.removeEventListener('abort', abort);
    },
  };
}

interface ProcessUsage {
  readonly memoryBytes: number;
  readonly readBytes: number;
  readonly processorSeconds: number;
}

/**
 * Memory in use, bytes read, and processor time. A decoder that seeks to a late chunk prints no progress, but reads. Zeros on
 * systems that do not report them.
 */
async function usageOf(pid: number | undefined): Promise<ProcessUsage> {
  if (process.platform !== 'linux' || pid === undefined) return { memoryBytes: 0, readBytes: 0, processorSeconds: 0 };
  const [memory = '', traffic = '', state = ''] = await Promise.all(
    ['statm', 'io', 'stat'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  );
  // User and system time of proc(5), as fields after the name of the program, which may contain spaces.
  const [userTicks = 0, systemTicks = 0] = state.slice(state.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return {
    memoryBytes: Number(memory.split(' ')[1] ?? 0) * pageBytes,
    readBytes: Number(/^rchar: (\d+)/m.exec(traffic)?.[1] ?? 0),
    processorSeconds: (userTicks + systemTicks) / ticksInSecond,
  };
}
