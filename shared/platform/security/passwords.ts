import { randomBytes, scrypt, timingSafeEqual, createHash, type ScryptOptions } from 'node:crypto';

/**
 * Password hashes by scrypt, off the event loop. The cost stands in each hash, so that it can grow
 * without locking anybody out: `scrypt$<N>$<r>$<p>$<salt>$<key>`.
 */
const cost = { N: 2 ** 14, r: 8, p: 5 } as const;
const keyBytes = 32;
/** N * r * 128 bytes is what scrypt takes; twice that is Node's leave for it. */
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

/** Compares in constant time. A hash of null stands for an unknown account: the answer is no, after as much work. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const [scheme, N, r, p, salt = '', key = ''] = (hash ?? nobody).split('$');
  if (scheme !== 'scrypt') throw new Error('a password hash of unknown kind');
  const expected = Buffer.from(key, 'base64url');
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: memoryLimit(Number(N), Number(r)) };
  const actual = await derive(password, Buffer.from(salt, 'base64url'), expected.length, options);
  return timingSafeEqual(actual, expected) && hash !== null;
}

const nobody = [
  'scrypt',
  cost.N,
  cost.r,
  cost.p,
  randomBytes(16).toString('base64url'),
  randomBytes(keyBytes).toString('base64url'),
].join('$');

/** Whether two secrets are the same, in a time that tells nothing of either, nor of their lengths. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
