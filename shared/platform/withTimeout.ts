/** The work has not ended in time. */
export class TimeoutError extends Error {
  constructor(milliseconds: number) {
    super(`no response within ${milliseconds} ms`);
    this.name = 'TimeoutError';
  }
}

/**
 * Resolves or rejects as `work` does; rejects with TimeoutError after so many milliseconds. The work itself goes on; its
 * later rejection is ignored.
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
 * Resolves or rejects as `work` does, whose signal is aborted with `signal`, and with TimeoutError after so many milliseconds.
 * `AbortSignal.any` with `AbortSignal.timeout` may never abort: nothing but the timer refers to that signal, and not strongly, so the
 * garbage collection of Node 20 removes both.
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
