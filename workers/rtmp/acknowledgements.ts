import { acknowledgement, messageType, readUint32, type RtmpMessage, type ServerMessage } from './rtmpMessage.js';

/** The window until the peer sets another one. */
const defaultWindowBytes = 5_000_000;

/** Counts the bytes of a connection. A peer may stop sending when a window of them is not acknowledged. */
export class Acknowledgements {
  #receivedBytes = 0;
  #acknowledgedBytes = 0;
  #windowBytes = defaultWindowBytes;

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  count(bytes: number): void {
    this.#receivedBytes += bytes;
  }

  /** Applies a Window Acknowledgement Size message; ignores all others. */
  take(message: RtmpMessage): void {
    if (message.type === messageType.windowAcknowledgementSize) this.#windowBytes = Math.max(1, readUint32(message));
  }

  /** The acknowledgement that is due; empty within a window. */
  due(): ServerMessage[] {
    if (this.#receivedBytes - this.#acknowledgedBytes < this.#windowBytes) return [];
    this.#acknowledgedBytes = this.#receivedBytes;
    return [acknowledgement(this.#receivedBytes)];
  }
}
