import { setTimeout as sleep } from 'node:timers/promises';
import type { RtmpLimits } from './limits.js';

const windowMs = 1000;

/**
 * Keeps a peer to the number of messages and bytes per second that an encoder needs. What it sends faster has to wait in its
 * own network buffer: tiny messages at full speed would take the processor from all other streams.
 */
export class Pace {
  #windowStart = performance.now();
  #messages = 0;
  #bytes = 0;

  constructor(private readonly limits: Pick<RtmpLimits, 'messagesPerSecond' | 'bytesPerSecond'>) {}

  /** Counts what was received. Returns a promise where the peer has to wait. */
  count(received: { readonly messages?: number; readonly bytes?: number }): Promise<void> | undefined {
    const elapsedMs = performance.now() - this.#windowStart;
    if (elapsedMs >= windowMs) this.#restart();
    this.#messages += received.messages ?? 0;
    this.#bytes += received.bytes ?? 0;
    const isWithin = this.#messages <= this.limits.messagesPerSecond && this.#bytes <= this.limits.bytesPerSecond;
    return isWithin ? undefined : this.#wait(windowMs - Math.min(elapsedMs, windowMs));
  }

  async #wait(remainingMs: number): Promise<void> {
    await sleep(remainingMs, undefined, { ref: false });
    this.#restart();
  }

  #restart(): void {
    this.#windowStart = performance.now();
    this.#messages = 0;
    this.#bytes = 0;
  }
}
