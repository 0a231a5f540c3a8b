import { acknowledgement, messageType, readUint32, type RtmpMessage, type ServerMessage } from './rtmpMessage.js';

/** Until the peer sets another window. */
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

  /** Takes the window that a message sets; ignores every other message. */
  take(message: RtmpMessage): void {
    if (message.type === messageType.windowAcknowledgementSize) this.#windowBytes = Math.max(1, readUint32(message));
  }

  /** The acknowledgement that is due; none within a window. */
  due(): ServerMessage[] {
    if (this.#receivedBytes - this.#acknowledgedBytes < this.#windowBytes) return [];
    this.#acknowledgedBytes = this.#receivedBytes;
    return [acknowledgement(this.#receivedBytes)];
  }
}
