import type { Logger } from '../../shared/platform/log.js';

/** The abort reason of work whose time slice has ended. */
export class SliceEndedError extends Error {
  override readonly name = 'SliceEndedError';
}

interface TimeSlice {
  /** Minimum time for which the work has its worker slot. */
  readonly seconds: number;
  /** Whether the work should end. Called when the slice is over, and again after each third of it. */
  readonly shouldEnd: () => Promise<boolean>;
  readonly log: Logger;
}

/** Measures the speed of a transfer. */
export class ArrivalRate {
  #bytes: number;
  #at = performance.now();

  /** `bytes`: received so far. */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Bytes per second since the previous call. `bytes`: received so far. */
  bytesPerSecond(bytes: number): number {
    const now = performance.now();
    const rate = ((bytes - this.#bytes) * 1_000) / Math.max(1, now - this.#at);
    [this.#bytes, this.#at] = [bytes, now];
    return rate;
  }
}

/**
 * Runs work that mostly waits for an external party, so that it does not occupy a worker slot that others need. Its signal aborts
 * with SliceEndedError when the slice has ended. The work then decides whether it continues later or gives up.
 */
export async function inTimeSlice<Result>(
  { seconds, shouldEnd, log }: TimeSlice,
  work: (sliceEnd: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const slice = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const ask = async (): Promise<void> => {
    const isOver = await shouldEnd().catch((error: unknown) => {
      log.warn({ err: error }, 'time slice not checked');
      return false;
    });
    if (isOver) slice.abort(new SliceEndedError('others wait'));
    else if (timer) timer = setTimeout(() => void ask(), (seconds * 1_000) / 3);
  };
  timer = setTimeout(() => void ask(), seconds * 1_000);
  try {
    return await work(slice.signal);
  } finally {
    clearTimeout(timer);
    timer = undefined;
  }
}
