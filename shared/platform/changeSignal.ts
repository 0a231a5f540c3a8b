/** Wakes all waiting callers at the next change. */
export class ChangeSignal {
  readonly #waiting = new Set<() => void>();

  /** The number of waiting callers. */
  get waiting(): number {
    return this.#waiting.size;
  }

  notify(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves at the next change, after `waitMs`, or when `signal` aborts. */
  next(waitMs: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, waitMs);
      signal?.addEventListener('abort', wake, { once: true });
      this.#waiting.add(wake);
    });
  }
}
