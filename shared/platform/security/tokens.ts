import { hash, randomBytes } from 'node:crypto';

/** 256 random bits as text: an access, refresh or mail token. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of a token. A token has 256 random bits, so a plain hash without salt is sufficient. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
