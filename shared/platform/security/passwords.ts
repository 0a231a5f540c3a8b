import { randomBytes, timingSafeEqual, createHash } from 'node:crypto';
import { concurrency } from '../concurrency.js';
import type { ContextParts } from '../contextParts.js';
import { networkOf } from '../formats/network.js';
import { passwordThreads, type PasswordCost } from './passwordThreads.js';

/**
 * Password hashes with scrypt, computed in separate threads: `scrypt$<N>$<r>$<p>$<salt>$<key>`. Each hash contains its cost, so
 * that old hashes remain valid after an increase.
 */
const keyBytes = 32;
/** scrypt uses N * r * 128 bytes; Node requires a higher limit. */
const memoryLimit = (N: number, r: number) => 256 * N * r;

interface WithParts {
  readonly parts: ContextParts;
}

/**
 * Hashes a new password. Must not be called inside a transaction, which would hold its connection and locks meanwhile. Throws
 * TooManyRequestsError if too many hashes are waiting.
 */
export async function hashPassword(ctx: WithParts, password: string): Promise<string> {
  const salt = randomBytes(16);
  const { cost } = passwordThreads(ctx);
  return hashOf(cost, salt, await derive(ctx, password, salt, keyBytes, cost));
}

/**
 * Compares in constant time. Null stands for an unknown account: resolves with false, after the same work. Throws
 * TooManyRequestsError like `hashPassword`.
 */
export async function verifyPassword(ctx: WithParts, password: string, hash: string | null): Promise<boolean> {
  const [scheme, N, r, p, salt = '', key = ''] = (hash ?? unknownAccountHash(ctx)).split('$');
  if (scheme !== 'scrypt') throw new Error('unknown password hash scheme');
  const expected = Buffer.from(key, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(ctx, password, Buffer.from(salt, 'base64url'), expected.length, cost);
  return timingSafeEqual(actual, expected) && hash !== null;
}

/** Half of the running and waiting hashes permitted by `passwordThreads.ts`. */
const passwordsOfAddress = 9;

/**
 * Runs `work`, which hashes a password for a caller without a user's token. One address gets at most half of the slots, so that
 * it cannot exclude all others. Throws TooManyRequestsError, and the errors of `work`.
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

/** A hash with the default cost that matches no password. */
function unknownAccountHash(ctx: WithParts): string {
  return hashOf(passwordThreads(ctx).cost, unknownAccount.salt, unknownAccount.key);
}

/** Whether two secrets are equal. The time of the comparison depends neither on their contents nor on their lengths. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
