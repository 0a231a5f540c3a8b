import { createHmac, timingSafeEqual } from 'node:crypto';

/** A secret with the name that a signed thing carries, so that the right one is found again. */
export interface SigningKey {
  readonly id: string;
  readonly secret: string;
}

export interface Signature {
  readonly keyId: string;
  /** 22 characters of base64url. */
  readonly value: string;
}

/** 128 bits: as hard to guess as the whole, and short enough for an address (RTMP clients cut at 1024 characters). */
const signatureBytes = 16;

/**
 * Signs with the first key. A message must name its purpose and version (`v1|…`), and its parts must not hold what
 * separates them: otherwise a signature for one thing could be read as one for another.
 */
export function sign(keys: readonly SigningKey[], message: string): Signature {
  const key = keys[0];
  if (!key) throw new Error('there is no signing key');
  return { keyId: key.id, value: mac(key, message) };
}

/** Whether one of the keys, the one of that id, has made this signature; takes equally long for every wrong one. */
export function verify(keys: readonly SigningKey[], message: string, signature: Signature): boolean {
  const key = keys.find(({ id }) => id === signature.keyId);
  if (!key) return false;
  const expected = Buffer.from(mac(key, message));
  const given = Buffer.from(signature.value);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function mac(key: SigningKey, message: string): string {
  return createHmac('sha256', key.secret).update(message).digest().subarray(0, signatureBytes).toString('base64url');
}
