import { randomBytes } from 'node:crypto';
import { RtmpProtocolError } from './protocolError.js';

/** Size of each of the two packets that follow the version: C1 and C2, or S1 and S2. */
const packetBytes = 1536;
const version = 3;

/**
 * The simple handshake of the RTMP specification, 5.2. A server answers C0 and C1 with S0, S1 and S2, and skips C2. A client begins
 * with `hello`, answers S1 with C2, and skips S2. Neither side needs a digest. It holds at most `packetBytes`.
 */
export class Handshake {
  /** C1 or S1. */
  readonly #first = Buffer.allocUnsafe(packetBytes);
  #received = 0;

  constructor(private readonly role: 'server' | 'client') {}

  /** The version and the first packet of this side, with time and version zero. */
  get hello(): Buffer {
    return Buffer.concat([Buffer.from([version]), Buffer.alloc(8), randomBytes(packetBytes - 8)]);
  }

  get isDone(): boolean {
    return this.#received === 1 + 2 * packetBytes;
  }

  /** Reads the next bytes of the peer. `reply`: bytes to send; `rest`: the bytes after the handshake. */
  read(bytes: Buffer): { readonly reply: Buffer | null; readonly rest: Buffer } {
    let reply: Buffer | null = null;
    let at = 0;
    if (this.#received === 0 && bytes.length > 0) {
      // Version 6 would be RTMPE, whose encryption is broken: RTMPS replaces it.
      if (bytes[0] !== version) throw new RtmpProtocolError('not an RTMP handshake');
      at = this.#received = 1;
    }
    if (at < bytes.length && this.#received < 1 + packetBytes) {
      const copied = bytes.copy(this.#first, this.#received - 1, at);
      at += copied;
      this.#received += copied;
      if (this.#received === 1 + packetBytes) reply = this.#reply();
    }
    const skipped = Math.min(bytes.length - at, 1 + 2 * packetBytes - this.#received);
    this.#received += skipped;
    return { reply, rest: bytes.subarray(at + skipped) };
  }

  /** The second packet repeats the first one of the peer. */
  #reply(): Buffer {
    return this.role === 'client' ? this.#first : Buffer.concat([this.hello, this.#first]);
  }
}
