import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits as text: an access, refresh or mail token. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a token. It has full entropy, so one plain hash is enough. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
