import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from '../platform/config.js';

/*
 * A refresh token: the id of its family, 256 random bits, and a MAC of both with a key of the service. Its row has only a
 * hash, and is deleted when the family has newer ones. The MAC shows that the service has issued the token for this
 * family. So a replaced one is recognised as long as its family lives, and however often that was refreshed.
 */

const idBytes = 16;
const randomBytesCount = 32;
const macBytes = 32;

/** A new token of a family, as 107 characters of base64url. */
export function createRefreshToken(config: Config, familyId: string): string {
  const signed = Buffer.concat([Buffer.from(familyId.replaceAll('-', ''), 'hex'), randomBytes(randomBytesCount)]);
  return Buffer.concat([signed, macOf(config, signed)]).toString('base64url');
}

/**
 * The id of the family that the service has issued this token for; undefined for any other text, and for tokens that were issued
 * under another encryption key. Compares in constant time.
 */
export function familyIdOf(config: Config, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // The same bytes have several texts, of which one was issued.
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
