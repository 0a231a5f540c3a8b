import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from '../platform/config.js';

/*
 * A refresh token: the id of its family, 256 random bits, and a MAC of both with a key of the service. Its row stores
 * only a hash, and is deleted when the family has many newer tokens. The MAC proves that the service has issued the
 * token for this family. A replaced token is therefore recognised until its family ends, regardless of the number of
 * refreshes.
 */

const idBytes = 16;
const randomBytesCount = 32;
const macBytes = 32;

/** A new token of a family: 107 characters in base64url. */
export function createRefreshToken(config: Config, familyId: string): string {
  const signed = Buffer.concat([Buffer.from(familyId.replaceAll('-', ''), 'hex'), randomBytes(randomBytesCount)]);
  return Buffer.concat([signed, macOf(config, signed)]).toString('base64url');
}

/**
 * The id of the family for which the service has issued this token; undefined for any other text, and for tokens issued
 * with another encryption key. Compares in constant time.
 */
export function familyIdOf(config: Config, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Several base64url texts decode to the same bytes; only the canonical text was issued.
  if (bytes.length !== idBytes + randomBytesCount + macBytes || bytes.toString('base64url') !== token) return undefined;
  const signed = bytes.subarray(0, -macBytes);
  if (!timingSafeEqual(bytes.subarray(-macBytes), macOf(config, signed))) return undefined;
  const hex = bytes.subarray(0, idBytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function macOf({ encryptionKey }: Config, signed: Buffer): Buffer {
  const key = createHmac('sha256', Buffer.from(encryptionKey, 'hex')).update('v1|refresh-token').digest();
  return createHmac('sha256', key).update(signed).digest();
}
