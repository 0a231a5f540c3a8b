import { networkOf } from '../../shared/platform/formats/network.js';

/** How long an encoder may take to return with its login. One that supports the login returns within a second. */
const patienceMs = 10_000;
/** Maximum of waiting encoders. Further ones count as refused at once. */
const maxWaiting = 1000;

/**
 * Encoders that were requested to log in. Each step of the login is a separate connection, so an encoder counts as refused only if
 * it does not return.
 */
export class LoginRequests {
  readonly #waiting = new Map<string, NodeJS.Timeout[]>();
  #count = 0;

  constructor(private readonly afterMs = patienceMs) {}

  /** Calls `onGone` if no encoder of this address returns in time. */
  ask(remoteAddress: string, onGone: () => void): void {
    if (this.#count >= maxWaiting) return onGone();
    const network = networkOf(remoteAddress);
    const timers = this.#waiting.get(network) ?? [];
    // Removes the oldest request of the address.
    const onTime = (): void => {
      this.returned(remoteAddress);
      onGone();
    };
    timers.push(setTimeout(onTime, this.afterMs).unref());
    this.#waiting.set(network, timers);
    this.#count += 1;
  }

  /** An encoder of this address has returned with its login. */
  returned(remoteAddress: string): void {
    const network = networkOf(remoteAddress);
    const timers = this.#waiting.get(network);
    const oldest = timers?.shift();
    if (!oldest) return;
    clearTimeout(oldest);
    this.#count -= 1;
    if (timers?.length === 0) this.#waiting.delete(network);
  }

  /** Cancels all requests. */
  close(): void {
    for (const timer of [...this.#waiting.values()].flat()) clearTimeout(timer);
    this.#waiting.clear();
    this.#count = 0;
  }
}
