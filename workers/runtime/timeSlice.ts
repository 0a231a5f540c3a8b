import type { Logger } from '../../shared/platform/log.js';

/** The abort reason of work whose time slice has ended. */
export class SliceEndedError extends Error {
  override readonly name = 'SliceEndedError';
}

interface TimeSlice {
  /** The work has its worker slot for so long at least. */
  readonly seconds: number;
  /** Whether the work should end: asked when the slice is over, and again after each third of it. */
  readonly shouldEnd: () => Promise<boolean>;
  readonly log: Logger;
}

/** How fast something arrives. */
export class ArrivalRate {
  #bytes: number;
  #at = performance.now();

  /** `bytes`: that have arrived already. */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Bytes a second since the call before, where `bytes` have arrived by now. */
  bytesPerSecond(bytes: number): number {
    const now = performance.now();
    const rate = ((bytes - this.#bytes) * 1_000) / Math.max(1, now - this.#at);
    [this.#bytes, this.#at] = [bytes, now];
    return rate;
  }
}

/**
 * Runs work that mostly waits for somebody outside, so that it does not keep a worker slot others wait for. The signal of the work
 * is aborted with SliceEndedError when its slice has ended. What that means is decided by the work: it continues later, or does
 * without.
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
