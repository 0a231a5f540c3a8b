import { networkOf } from '../../shared/platform/formats/network.js';

/** An encoder that knows the login comes back within a second. */
const patienceMs = 10_000;
/** Further encoders count as gone at once. */
const maxWaiting = 1000;

/**
 * Encoders that were asked to log in. Each step of the login is a connection of its own, so whether an encoder was refused shows
 * only when it does not come back.
 */
export class LoginRequests {
  readonly #waiting = new Map<string, NodeJS.Timeout[]>();
  #count = 0;

  constructor(private readonly afterMs = patienceMs) {}

  /** `onGone` is called where no encoder of this address has come back in time. */
  ask(remoteAddress: string, onGone: () => void): void {
    if (this.#count >= maxWaiting) return onGone();
    const network = networkOf(remoteAddress);
    const timers = this.#waiting.get(network) ?? [];
    // The oldest ends first.
    const onTime = (): void => {
      this.returned(remoteAddress);
      onGone();
    };
    timers.push(setTimeout(onTime, this.afterMs).unref());
    this.#waiting.set(network, timers);
    this.#count += 1;
  }

  /** An encoder of this address has come back with its login. */
  returned(remoteAddress: string): void {
    const network = networkOf(remoteAddress);
    const timers = this.#waiting.get(network);
    const oldest = timers?.shift();
    if (!oldest) return;
    clearTimeout(oldest);
    this.#count -= 1;
    if (timers?.length === 0) this.#waiting.delete(network);
  }

  /** Forgets all. */
  close(): void {
    for (const timer of [...this.#waiting.values()].flat()) clearTimeout(timer);
    this.#waiting.clear();
    this.#count = 0;
  }
}
