import { contextPart } from '../platform/contextParts.js';
import { FairQueue } from '../platform/fairQueue.js';

/** Decodes images, one at a time in this process: decoding occupies a thread of libuv, which files and DNS need too. */
export class ImageQueue {
  readonly #turns = new FairQueue({ running: 1, runningOfCaller: 1, waiting: 400, waitingOfCaller: 50 });
  readonly #shared = new Map<string, Promise<void>>();

  /** Runs `work` when it is the turn of this user, or of another subject. Throws as `FairQueue.run`. */
  run<Result>(subject: string, work: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(subject, work);
  }

  /** The same for work that many callers need at the same time: it runs once for all callers with this key. */
  share(key: string, subject: string, work: () => Promise<void>): Promise<void> {
    const running = this.#shared.get(key);
    if (running) return running;
    const shared = this.run(subject, work).finally(() => this.#shared.delete(key));
    this.#shared.set(key, shared);
    return shared;
  }
}

export const imageQueue = contextPart(() => new ImageQueue());
