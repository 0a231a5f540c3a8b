import { contextPart } from '../platform/contextParts.js';
import { FairQueue } from '../platform/fairQueue.js';

/** Runs image decoding one at a time in this process: it occupies a libuv thread, which files and DNS need too. */
export class ImageQueue {
  readonly #queue = new FairQueue({ running: 1, runningOfCaller: 1, waiting: 400, waitingOfCaller: 50 });
  readonly #shared = new Map<string, Promise<void>>();

  /** Runs `work` when the fair queue reaches this user or other subject. Throws the errors of `FairQueue.run`. */
  run<Result>(subject: string, work: () => Promise<Result>): Promise<Result> {
    return this.#queue.run(subject, work);
  }

  /** Like `run`, single-flight: concurrent callers with the same key share one run. */
  share(key: string, subject: string, work: () => Promise<void>): Promise<void> {
    const running = this.#shared.get(key);
    if (running) return running;
    const shared = this.run(subject, work).finally(() => this.#shared.delete(key));
    this.#shared.set(key, shared);
    return shared;
  }
}

export const imageQueue = contextPart(() => new ImageQueue());
