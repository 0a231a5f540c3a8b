import { TooManyRequestsError, UnavailableError } from './errors.js';

export interface QueueLimits {
  /** Maximum number of running tasks: of all callers, and of one. */
  readonly running: number;
  readonly runningOfCaller: number;
  /** Maximum number of waiting tasks: of all callers, and of one. */
  readonly waiting: number;
  readonly waitingOfCaller: number;
  /** Without it, the waiting time is unlimited. */
  readonly maxWaitMs?: number;
}

/** Starts a waiting task. */
type Begin = () => void;

/**
 * When this share of all waiting slots is used, a caller gets another slot only if it has none: a few callers never exclude the
 * others.
 */
const commonShare = 1 / 4;
const retryAfterSeconds = 2;

/**
 * Runs a bounded number of tasks at once in this process. Callers are served round-robin, so many tasks of one caller barely
 * delay another caller. A caller is anything with a share: a user, an address.
 */
export class FairQueue {
  readonly #limits: QueueLimits;
  /** In the order in which the callers are served. */
  readonly #waiting = new Map<string, Begin[]>();
  readonly #running = new Map<string, number>();
  #waitingCount = 0;
  #runningCount = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /**
   * Runs `work` when a slot is free. Throws TooManyRequestsError if the caller's share of the waiting slots is used up,
   * UnavailableError if all waiting slots are used or the wait exceeds `maxWaitMs`; before the start also the reason of `signal`.
   */
  async run<Result>(caller: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#mayBegin(caller)) this.#enter(caller);
    else await this.#waitForSlot(caller, signal);
    try {
      return await work();
    } finally {
      this.#leave(caller);
    }
  }

  /** Resolves when the task counts as running. */
  #waitForSlot(caller: string, signal: AbortSignal | undefined): Promise<void> {
    this.#assertMayWait(caller);
    const { maxWaitMs } = this.#limits;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const begin = (): void => {
        end();
        resolve();
      };
      const giveUp = (reason: unknown): void => {
        end();
        this.#remove(caller, begin);
        reject(reason);
      };
      const abort = (): void => giveUp(signal?.reason);
      const timer = maxWaitMs === undefined ? undefined : setTimeout(() => giveUp(unavailable()), maxWaitMs);
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.set(caller, [...(this.#waiting.get(caller) ?? []), begin]);
      this.#waitingCount += 1;
    });
  }

  #assertMayWait(caller: string): void {
    const { waiting, waitingOfCaller } = this.#limits;
    const own = this.#waiting.get(caller)?.length ?? 0;
    const permitted = this.#waitingCount < waiting * commonShare ? waitingOfCaller : 1;
    if (own >= permitted) {
      const maximum = permitted + this.#limits.runningOfCaller;
      throw new TooManyRequestsError(retryAfterSeconds, { maximum }, { detail: `${own} wait: ${caller}` });
    }
    if (this.#waitingCount >= waiting) throw unavailable();
  }

  #remove(caller: string, begin: Begin): void {
    const left = (this.#waiting.get(caller) ?? []).filter((one) => one !== begin);
    if (left.length > 0) this.#waiting.set(caller, left);
    else this.#waiting.delete(caller);
    this.#waitingCount -= 1;
  }

  #mayBegin(caller: string): boolean {
    const { running, runningOfCaller } = this.#limits;
    return this.#runningCount < running && (this.#running.get(caller) ?? 0) < runningOfCaller;
  }

  #enter(caller: string): void {
    this.#running.set(caller, (this.#running.get(caller) ?? 0) + 1);
    this.#runningCount += 1;
  }

  /** Ends a task, and starts waiting tasks in the released slots. */
  #leave(caller: string): void {
    const left = (this.#running.get(caller) ?? 1) - 1;
    if (left > 0) this.#running.set(caller, left);
    else this.#running.delete(caller);
    this.#runningCount -= 1;
    for (const [next, [begin, ...others]] of this.#waiting) {
      if (this.#runningCount >= this.#limits.running) return;
      if (!begin || !this.#mayBegin(next)) continue;
      // Moves the caller to the end of the order.
      this.#waiting.delete(next);
      if (others.length > 0) this.#waiting.set(next, others);
      this.#waitingCount -= 1;
      this.#enter(next);
      begin();
    }
  }
}

function unavailable(): UnavailableError {
  return new UnavailableError({ key: 'error.unavailable', detail: 'too many waiting tasks' });
}
