import { randomBytes, scrypt, timingSafeEqual, createHash, type ScryptOptions } from 'node:crypto';

/**
 * Password hashes by scrypt, computed off the event loop: `scrypt$<N>$<r>$<p>$<salt>$<key>`. Each hash contains its
 * cost, so that a higher cost for new hashes leaves old ones valid.
 */
const cost = { N: 2 ** 14, r: 8, p: 5 } as const;
const keyBytes = 32;
/** scrypt uses N * r * 128 bytes; Node needs a limit above that. */
const memoryLimit = (N: number, r: number) => 256 * N * r;

function derive(password: string, salt: Buffer, length: number, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, keyBytes, { ...cost, maxmem: memoryLimit(cost.N, cost.r) });
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Compares in constant time. Null stands for an unknown account: resolves with false, after the same work. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const [scheme, N, r, p, salt = '', key = ''] = (hash ?? unknownAccountHash).split('$');
  if (scheme !== 'scrypt') throw new Error('a password hash of unknown kind');
  const expected = Buffer.from(key, 'base64url');
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: memoryLimit(Number(N), Number(r)) };
  const actual = await derive(password, Buffer.from(salt, 'base64url'), expected.length, options);
  return timingSafeEqual(actual, expected) && hash !== null;
}

/** A hash that no password has. */
const unknownAccountHash = [
  'scrypt',
  cost.N,
  cost.r,
  cost.p,
  randomBytes(16).toString('base64url'),
  randomBytes(keyBytes).toString('base64url'),
].join('$');

/** Whether two secrets are equal, compared in a time that depends on neither of them nor on their lengths. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
