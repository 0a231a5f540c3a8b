import { hkdfSync, randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import { ValidationError } from '../platform/errors.js';
import { hashPassword } from '../platform/security/passwords.js';
import { revokeCredentials, type RevokeTokens } from './account.service.js';
import { isMailTokenValid, takeMailToken } from './mailToken.service.js';
import { sendNewPassword, sendPasswordReset } from './user.jobs.js';
import type { User } from './user.model.js';
import { changeUser, readUser, userIdOf, userIdOfEmail } from './user.queries.js';

/** The request contains either the user code or the e-mail. */
export interface PasswordResetRequest {
  readonly userCode?: string | undefined;
  readonly email?: string | undefined;
  /** Template of the mailed link, with `${token}`. */
  readonly confirmationUrl: string;
}

/**
 * Enqueues the mail with the password reset link; `docs/contract.md#choices-users`. For an unknown account the same work
 * is done, with an id that no user has: neither the response nor its time shows whether the account exists.
 */
export async function requestPasswordReset(ctx: Context, request: PasswordResetRequest): Promise<void> {
  const { userCode, email = '', confirmationUrl } = request;
  const known = await (userCode === undefined ? userIdOfEmail(ctx, email) : userIdOf(ctx, userCode));
  const payload = { userId: known ?? randomUUID(), confirmationUrl, requestId: randomUUID() };
  await ctx.db.transaction((tx) => ctx.outbox.add(tx, sendPasswordReset, payload));
}

/**
 * Resets a password with the token of the mailed link: generates a new password, revokes all tokens of the account and enqueues the
 * mail with the password, in one transaction. Throws ValidationError if the token is invalid or has expired.
 */
export async function resetPassword(ctx: Context, token: string, revokeTokens: RevokeTokens): Promise<User> {
  // Hashing is expensive: an invalid token is rejected first.
  if (!(await isMailTokenValid(ctx, token, 'RENEWAL'))) throw invalidToken();
  const renewalId = randomUUID();
  const passwordHash = await hashPassword(ctx, generatedPassword(ctx, renewalId));
  return ctx.db.transaction(async (tx) => {
    const userId = await takeMailToken(ctx, tx, token, 'RENEWAL');
    const user = userId === undefined ? undefined : await readUser(ctx, userId, tx);
    if (user?.state !== 'ACTIVE') throw invalidToken();
    await changeUser(ctx, tx, user.id, { passwordHash });
    await revokeCredentials(ctx, tx, user.id, revokeTokens);
    await ctx.outbox.add(tx, sendNewPassword, { userId: user.id, renewalId });
    return user;
  });
}

function invalidToken(): ValidationError {
  return new ValidationError([{ field: 'token', code: 'renewalToken', key: 'user.renewalToken' }]);
}

/** 32 letters and digits that are hard to confuse with each other: five bits each. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const passwordLetters = 16;

/**
 * The password of one reset: 80 bits, in groups of four letters. It is derived from the service's key and `renewalId`,
 * so that the mail job can compute it again in every attempt, and the password itself is never stored in a queue.
 */
export function generatedPassword(ctx: Context, renewalId: string): string {
  const key = Buffer.from(ctx.config.encryptionKey, 'hex');
  // This text is part of the derivation: changing it changes the passwords of jobs that are waiting.
  const bytes = new Uint8Array(hkdfSync('sha256', key, '', `password renewal ${renewalId}`, passwordLetters));
  const letters = [...bytes].map((byte) => alphabet[byte % alphabet.length]).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}
