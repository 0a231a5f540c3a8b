import { randomBytes } from 'node:crypto';
import { RtmpProtocolError } from './protocolError.js';

/** Bytes of C1, C2, S1 and S2. */
const packetBytes = 1536;
const version = 3;

/**
 * The simple handshake of the RTMP specification, 5.2: C0 and C1 are answered with S0, S1 and S2, and C2 is skipped. Encoders
 * need no digest. It holds `packetBytes` at most.
 */
export class Handshake {
  readonly #c1 = Buffer.allocUnsafe(packetBytes);
  #received = 0;

  get isDone(): boolean {
    return this.#received === 1 + 2 * packetBytes;
  }

  /** Takes the next bytes of the peer. `reply` is to be sent; `rest` are the bytes after the handshake. */
  read(bytes: Buffer): { readonly reply: Buffer | null; readonly rest: Buffer } {
    let reply: Buffer | null = null;
    let at = 0;
    if (this.#received === 0 && bytes.length > 0) {
      // Version 6 would be RTMPE, whose encryption is broken: RTMPS replaces it.
      if (bytes[0] !== version) throw new RtmpProtocolError('not an RTMP handshake');
      at = this.#received = 1;
    }
    if (at < bytes.length && this.#received < 1 + packetBytes) {
      const copied = bytes.copy(this.#c1, this.#received - 1, at);
      at += copied;
      this.#received += copied;
      if (this.#received === 1 + packetBytes) reply = this.#reply();
    }
    const skipped = Math.min(bytes.length - at, 1 + 2 * packetBytes - this.#received);
    this.#received += skipped;
    return { reply, rest: bytes.subarray(at + skipped) };
  }

  /** S0, S1 with time and version zero, and S2, which repeats C1. */
  #reply(): Buffer {
    return Buffer.concat([Buffer.from([version]), Buffer.alloc(8), randomBytes(packetBytes - 8), this.#c1]);
  }
}
