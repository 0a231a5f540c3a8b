import { randomBytes, timingSafeEqual, createHash } from 'node:crypto';
import { concurrency } from '../concurrency.js';
import type { ContextParts } from '../contextParts.js';
import { networkOf } from '../formats/network.js';
import { passwordThreads, type PasswordCost } from './passwordThreads.js';

/**
 * Password hashes by scrypt, computed in threads of their own: `scrypt$<N>$<r>$<p>$<salt>$<key>`. Each hash contains its
 * cost, so that a higher cost for new hashes leaves old ones valid.
 */
const keyBytes = 32;
/** scrypt uses N * r * 128 bytes; Node needs a limit above that. */
const memoryLimit = (N: number, r: number) => 256 * N * r;

interface WithParts {
  readonly parts: ContextParts;
}

/**
 * A new hash of a password. Not to be called inside a transaction, which would keep its connection and its locks
 * meanwhile. Throws TooManyRequestsError where too many passwords are being hashed.
 */
export async function hashPassword(ctx: WithParts, password: string): Promise<string> {
  const salt = randomBytes(16);
  const { cost } = passwordThreads(ctx);
  return hashOf(cost, salt, await derive(ctx, password, salt, keyBytes, cost));
}

/**
 * Compares in constant time. Null stands for an unknown account: resolves with false, after the same work. Otherwise as
 * `hashPassword`.
 */
export async function verifyPassword(ctx: WithParts, password: string, hash: string | null): Promise<boolean> {
  const [scheme, N, r, p, salt = '', key = ''] = (hash ?? unknownAccountHash(ctx)).split('$');
  if (scheme !== 'scrypt') throw new Error('a password hash of unknown kind');
  const expected = Buffer.from(key, 'base64url');
  const given = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(ctx, password, Buffer.from(salt, 'base64url'), expected.length, given);
  return timingSafeEqual(actual, expected) && hash !== null;
}

/** Half of the passwords that can be hashed or wait (`passwordThreads.ts`). */
const passwordsOfAddress = 9;

/**
 * Runs `work`, in which a caller without a user's token has a password hashed. One address has half of the places at
 * most, so that it does not keep out all others. Throws TooManyRequestsError, and what `work` throws.
 */
export function hashForAddress<Result>(
  ctx: WithParts,
  remoteAddress: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return concurrency(ctx).run(`password@${networkOf(remoteAddress)}`, passwordsOfAddress, work);
}

function derive(
  ctx: WithParts,
  password: string,
  salt: Buffer,
  length: number,
  { N, r, p }: PasswordCost,
): Promise<Buffer> {
  return passwordThreads(ctx).derive({
    password: password.normalize('NFKC'),
    salt,
    keyBytes: length,
    options: { N, r, p, maxmem: memoryLimit(N, r) },
  });
}

function hashOf({ N, r, p }: PasswordCost, salt: Buffer, key: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

const unknownAccount = { salt: randomBytes(16), key: randomBytes(keyBytes) };

/** A hash that no password has, of the usual cost. */
function unknownAccountHash(ctx: WithParts): string {
  return hashOf(passwordThreads(ctx).cost, unknownAccount.salt, unknownAccount.key);
}

/** Whether two secrets are equal, compared in a time that depends on neither of them nor on their lengths. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
