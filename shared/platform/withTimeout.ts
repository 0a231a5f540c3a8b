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
