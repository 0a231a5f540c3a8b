import { setTimeout as sleep } from 'node:timers/promises';
import { Allowance } from './allowance.js';
import type { RtmpLimits } from './limits.js';
import { messageType, type RtmpMessage } from './rtmpMessage.js';

/** Minimum wait of a peer: a timer for each message would cost more than the message. */
const shortestWaitMs = 50;
/** Permitted bursts: messages of one burst are processed in one iteration of the event loop, whereas bytes are only copied. */
const burstSeconds = { messages: 0.1, bytes: 1 };
/** A command or metadata of this length costs about as much as a media message, because its values are decoded. */
const decodedBytes = 64;

/**
 * Limits a peer to the messages and bytes per second that an encoder needs. The excess waits in the network buffer of the peer:
 * tiny messages at full speed would take the processor time of all other streams.
 */
export class Pace {
  readonly #messages: Allowance;
  readonly #bytes: Allowance;

  constructor({ messagesPerSecond, bytesPerSecond }: Pick<RtmpLimits, 'messagesPerSecond' | 'bytesPerSecond'>) {
    this.#messages = new Allowance(messagesPerSecond, burstSeconds.messages);
    this.#bytes = new Allowance(bytesPerSecond, burstSeconds.bytes);
  }

  /** Counts a processed message. Returns a promise if the peer has to wait. */
  countMessage({ type, payload }: RtmpMessage): Promise<void> | undefined {
    return waiting(this.#messages.spend(isDecoded(type) ? 1 + payload.length / decodedBytes : 1));
  }

  /** Counts received bytes. Returns a promise if the peer has to wait. */
  countBytes(count: number): Promise<void> | undefined {
    return waiting(this.#bytes.spend(count));
  }
}

function isDecoded(type: number): boolean {
  const { dataAmf0, dataAmf3, commandAmf0, commandAmf3 } = messageType;
  return type === dataAmf0 || type === dataAmf3 || type === commandAmf0 || type === commandAmf3;
}

function waiting(waitMs: number): Promise<void> | undefined {
  return waitMs > 0 ? sleep(Math.max(shortestWaitMs, waitMs), undefined, { ref: false }) : undefined;
}
