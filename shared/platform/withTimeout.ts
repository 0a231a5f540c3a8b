/** The work did not end in time. */
export class TimeoutError extends Error {
  constructor(milliseconds: number) {
    super(`no response within ${milliseconds} ms`);
    this.name = 'TimeoutError';
  }
}

/**
 * Settles like `work`; rejects with TimeoutError after `milliseconds`. The work itself continues; its later rejection is ignored.
 */
export async function withTimeout<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(milliseconds)), milliseconds);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Settles like `work`, whose signal is aborted with `signal`, and with TimeoutError after `milliseconds`. Replaces
 * `AbortSignal.any` with `AbortSignal.timeout`, which may never abort in Node 20: only the timer refers to the timeout signal,
 * and weakly, so both signals may be garbage-collected.
 */
export async function withTimeLimit<Result>(
  signal: AbortSignal | undefined,
  milliseconds: number,
  work: (limited: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(new TimeoutError(milliseconds)), milliseconds);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
