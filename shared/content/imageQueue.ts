import { TooManyRequestsError } from '../platform/errors.js';

/** Images of one subject that may wait. */
const maximumWaitingOfSubject = 50;
/** Where so many images wait in all, a subject may add one only if it has none: so one user cannot exclude the others. */
const fewWaiting = 100;
const maximumWaiting = 400;
const retryAfterSeconds = 2;

/**
 * Decodes images, one at a time in this process: decoding occupies a thread of libuv, which files and DNS need too. The
 * turn passes from one subject (a user) to the next, so that many images of one delay the next image of another by one
 * image only.
 */
export class ImageQueue {
  readonly #waiting = new Map<string, (() => Promise<void>)[]>();
  readonly #shared = new Map<string, Promise<void>>();
  #waitingCount = 0;
  #isBusy = false;

  /** Runs `work` when it is its turn. Throws TooManyRequestsError where too many images wait. */
  run<Result>(subject: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.#waiting.get(subject) ?? [];
    const permitted = this.#waitingCount < fewWaiting ? maximumWaitingOfSubject : 1;
    if (own.length >= permitted || this.#waitingCount >= maximumWaiting)
      return Promise.reject(new TooManyRequestsError(retryAfterSeconds));
    return new Promise<Result>((resolve, reject) => {
      own.push(() => work().then(resolve, reject));
      this.#waiting.set(subject, own);
      this.#waitingCount += 1;
      this.#next();
    });
  }

  /** The same for work that many callers need at the same time: it runs once for all callers with this key. */
  share(key: string, subject: string, work: () => Promise<void>): Promise<void> {
    const running = this.#shared.get(key);
    if (running) return running;
    const shared = this.run(subject, work).finally(() => this.#shared.delete(key));
    this.#shared.set(key, shared);
    return shared;
  }

  /** Starts the first image of the first subject; the subject then comes after all others. */
  #next(): void {
    const [first] = this.#waiting;
    if (this.#isBusy || !first) return;
    const [subject, [task, ...others]] = first;
    this.#waiting.delete(subject);
    if (others.length > 0) this.#waiting.set(subject, others);
    this.#waitingCount -= 1;
    this.#isBusy = true;
    void task?.().finally(() => {
      this.#isBusy = false;
      this.#next();
    });
  }
}

declare module '../platform/context.js' {
  interface Context {
    readonly images: ImageQueue;
  }
}
