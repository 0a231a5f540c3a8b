import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/*
 * Adobe's challenge authentication for publishers, as OBS, ffmpeg and Larix use it. Each step is a connection of its own:
 *
 * 1. `connect` without credentials is rejected with `needAuthentication`.
 * 2. `connect` with the user's name is rejected with a challenge.
 * 3. `connect` with the response to the challenge is accepted, or rejected with `authenticationFailed`.
 */

const reject = '[ AccessManager.Reject ] : ';

/** Encoders that know the login look for the codes; the sentence is for those who read it. */
export const needAuthentication = `${reject}[ code=403 need auth; authmod=adobe ] : Log in, or publish to the application "key" with ?user=...&pass=... behind the stream key.`;
export const authenticationFailed = `${reject}[ authmod=adobe ] : ?reason=authfailed&opaque=-`;

export interface AdobeAnswer {
  readonly user: string;
  readonly salt: string;
  readonly opaque: string;
  /** The challenge that the encoder has added. */
  readonly challenge: string;
}

/** The response of an encoder that knows the password. MD5 is part of the protocol. */
export function adobeResponse({ user, salt, opaque, challenge }: AdobeAnswer, password: string): string {
  return md5(md5(user + salt + password) + opaque + challenge);
}

/** Compares in constant time. */
export function isAdobeResponse(response: string, answer: AdobeAnswer, password: string): boolean {
  const expected = Buffer.from(adobeResponse(answer, password));
  const given = Buffer.from(response);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('base64');
}

/** How long an encoder may take for its response. */
const lifetimeMs = 60_000;
const nonceBytes = 12;
const macBytes = 12;
/** Challenges that have been answered are remembered, so that a recorded response cannot be used again. */
const rememberedAnswers = 10_000;

/**
 * Makes and recognises challenges. A challenge carries its time and a code of authenticity instead of being stored: requests
 * for challenges take no memory, and any process with the same key accepts the response.
 */
export class AdobeChallenges {
  readonly #answered = new Set<string>();

  constructor(
    private readonly key: Buffer,
    private readonly now: () => number,
  ) {}

  /** The description of the rejection that carries a new challenge. `user` is repeated as the encoder has sent it. */
  describe(user: string): string {
    const opaque = this.#sign(this.#nonce());
    const parameters = `user=${user}&salt=${this.#salt(opaque)}&challenge=${opaque}&opaque=${opaque}`;
    return `${reject}[ authmod=adobe ] : ?reason=needauth&${parameters}`;
  }

  /** What the response to a challenge must be computed from; null if the challenge is not ours, too old, or answered. */
  accept(given: { readonly user: string; readonly opaque: string; readonly challenge: string }): AdobeAnswer | null {
    const { opaque } = given;
    const signed = Buffer.from(opaque, 'base64url');
    if (signed.length !== nonceBytes + macBytes || this.#answered.has(opaque)) return null;
    const nonce = signed.subarray(0, nonceBytes);
    const expected = this.#sign(nonce);
    if (opaque.length !== expected.length || !timingSafeEqual(Buffer.from(opaque), Buffer.from(expected))) return null;
    // Clocks of several processes differ: a challenge may also come from the future.
    if (Math.abs(this.now() - nonce.readUIntBE(0, 6)) > lifetimeMs) return null;
    this.#remember(opaque);
    return { ...given, salt: this.#salt(opaque) };
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
