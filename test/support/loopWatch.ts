import { readFileSync } from 'node:fs';

const everyMs = 5;

export interface LoopWatch {
  /**
   * The maximum time for which the event loop was blocked, in milliseconds of CPU time: the cost of the code, regardless of
   * other programs on a busy machine.
   */
  readonly maxMs: number;
  /** Share of a CPU that this thread has used, from 0 to 1. */
  readonly share: number;
  stop(): void;
}

/** Watches the event loop of the main thread until `stop` is called. Linux only. */
export function watchLoop(): LoopWatch {
  const began = { at: performance.now(), usedMs: usedByThread() };
  let last = began.usedMs;
  let maxMs = 0;
  const note = (): void => {
    const now = usedByThread();
    maxMs = Math.max(maxMs, now - last);
    last = now;
  };
  const timer = setInterval(note, everyMs);
  return {
    get maxMs() {
      return maxMs;
    },
    get share() {
      return (last - began.usedMs) / (performance.now() - began.at);
    },
    stop() {
      note();
      clearInterval(timer);
    },
  };
}

function usedByThread(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
}
