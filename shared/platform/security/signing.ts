import { createHmac, timingSafeEqual } from 'node:crypto';

/** A secret with its id. Signatures contain the id, so that keys can be rotated. */
export interface SigningKey {
  readonly id: string;
  readonly secret: string;
}

export interface Signature {
  readonly keyId: string;
  /** 22 characters of base64url. */
  readonly value: string;
}

/** 128 bits cannot be guessed and keep URLs short (RTMP clients truncate them at 1024 characters). */
const signatureBytes = 16;

/**
 * Signs with the first key. A message must begin with its purpose and version (`v1|…`), and its parts must not contain
 * the separator: otherwise a signature for one purpose could be valid for another.
 */
export function sign(keys: readonly SigningKey[], message: string): Signature {
  const key = keys[0];
  if (!key) throw new Error('no signing key');
  return { keyId: key.id, value: mac(key, message) };
}

/** Whether the signature was made with the key whose id it contains. Compares in constant time. */
export function verify(keys: readonly SigningKey[], message: string, signature: Signature): boolean {
  const key = keys.find(({ id }) => id === signature.keyId);
  if (!key) return false;
  const expected = Buffer.from(mac(key, message));
  const received = Buffer.from(signature.value);
  return expected.length === received.length && timingSafeEqual(expected, received);
}

function mac(key: SigningKey, message: string): string {
  return createHmac('sha256', key.secret).update(message).digest().subarray(0, signatureBytes).toString('base64url');
}
