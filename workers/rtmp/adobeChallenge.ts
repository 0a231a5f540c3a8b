import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/*
 * Adobe's challenge authentication for publishers, as OBS, ffmpeg and Larix use it. Each step is a connection of its own:
 *
 * 1. `connect` without credentials is rejected with `needAuthentication`.
 * 2. `connect` with the user's name is rejected with a challenge.
 * 3. `connect` with the response to the challenge is accepted, or rejected with `authenticationFailed`.
 */

const reject = '[ AccessManager.Reject ] : ';

/** Encoders that support the login parse the codes; the sentence is for users of other encoders. */
export const needAuthentication = `${reject}[ code=403 need auth; authmod=adobe ] : Log in, or publish to the application "key" with ?user=...&pass=... behind the stream key.`;
export const authenticationFailed = `${reject}[ authmod=adobe ] : ?reason=authfailed&opaque=-`;

export interface AdobeAnswer {
  readonly user: string;
  readonly salt: string;
  readonly opaque: string;
  /** The challenge that the encoder generated. */
  readonly challenge: string;
}

/** The response of an encoder that knows the password. MD5 is part of the protocol. */
export function adobeResponse({ user, salt, opaque, challenge }: AdobeAnswer, password: string): string {
  return md5(md5(user + salt + password) + opaque + challenge);
}

/** Compares in constant time. */
export function isAdobeResponse(response: string, answer: AdobeAnswer, password: string): boolean {
  const expected = Buffer.from(adobeResponse(answer, password));
  const received = Buffer.from(response);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('base64');
}

/** How long an encoder may take for its response. */
const lifetimeMs = 60_000;
const nonceBytes = 12;
const macBytes = 12;
/** Number of answered challenges that are remembered, to prevent replay of a response. */
const rememberedAnswers = 10_000;

/**
 * Creates and verifies challenges. A challenge contains its time and a MAC instead of being stored: requests for challenges take no
 * memory, and any process with the same key accepts the response.
 */
export class AdobeChallenges {
  readonly #answered = new Set<string>();

  constructor(
    private readonly key: Buffer,
    private readonly now: () => number,
  ) {}

  /** The description of a rejection with a new challenge. `user` is repeated as the encoder sent it. */
  describe(user: string): string {
    const opaque = this.#sign(this.#nonce());
    const parameters = `user=${user}&salt=${this.#salt(opaque)}&challenge=${opaque}&opaque=${opaque}`;
    return `${reject}[ authmod=adobe ] : ?reason=needauth&${parameters}`;
  }

  /**
   * The values from which the response to a challenge must be computed; null if the challenge has another key, is too old, or was
   * answered.
   */
  accept(answer: { readonly user: string; readonly opaque: string; readonly challenge: string }): AdobeAnswer | null {
    const { opaque } = answer;
    const signed = Buffer.from(opaque, 'base64url');
    if (signed.length !== nonceBytes + macBytes || this.#answered.has(opaque)) return null;
    const nonce = signed.subarray(0, nonceBytes);
    const expected = this.#sign(nonce);
    if (opaque.length !== expected.length || !timingSafeEqual(Buffer.from(opaque), Buffer.from(expected))) return null;
    // The clocks of processes differ, so a challenge may be from the future.
    if (Math.abs(this.now() - nonce.readUIntBE(0, 6)) > lifetimeMs) return null;
    this.#remember(opaque);
    return { ...answer, salt: this.#salt(opaque) };
  }

  #nonce(): Buffer {
    const nonce = randomBytes(nonceBytes);
    nonce.writeUIntBE(this.now(), 0, 6);
    return nonce;
  }

  #sign(nonce: Buffer): string {
    return Buffer.concat([nonce, this.#mac('opaque', nonce)]).toString('base64url');
  }

  #salt(opaque: string): string {
    return this.#mac('salt', Buffer.from(opaque)).subarray(0, 6).toString('base64url');
  }

  #mac(purpose: string, data: Buffer): Buffer {
    return createHmac('sha256', this.key).update(`${purpose}:`).update(data).digest().subarray(0, macBytes);
  }

  #remember(opaque: string): void {
    const [oldest] = this.#answered;
    if (this.#answered.size >= rememberedAnswers && oldest !== undefined) this.#answered.delete(oldest);
    this.#answered.add(opaque);
  }
}
