import { hkdfSync, randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import { ValidationError } from '../platform/errors.js';
import { hashPassword } from '../platform/security/passwords.js';
import { useMailToken } from '../user/mailToken.service.js';
import { sendNewPassword, sendRenewal } from '../user/user.jobs.js';
import type { User } from '../user/user.model.js';
import { readUser } from '../user/user.service.js';
import { assertNotTooMany, renewalSubjects } from './throttle.js';
import { revokeUserTokens } from './token.service.js';

/** Who wants a new password: named by user code or by e-mail, never both. */
export interface RenewalWish {
  readonly userCode?: string | undefined;
  readonly email?: string | undefined;
  /** Template of the mailed link, with `${token}`. */
  readonly confirmationUrl: string;
  readonly remoteAddress: string;
}

const lookups = {
  userCode: 'SELECT id FROM users WHERE lower(user_code) = lower($name)',
  email: 'SELECT id FROM users WHERE lower(email) = lower($name)',
} as const;

/**
 * Mails a link that makes a new password; `docs/contract.md#choices-users`. For a name that nobody has, the same is done down to the
 * job, which then finds nobody to write to: neither the answer nor its time tells the two apart.
 * Throws TooManyRequestsError.
 */
export async function askForRenewal(ctx: Context, wish: RenewalWish): Promise<void> {
  const [by, name] =
    wish.userCode === undefined ? (['email', wish.email ?? ''] as const) : (['userCode', wish.userCode] as const);
  await assertNotTooMany(ctx, renewalSubjects(ctx, { account: `${by}:${name}`, remoteAddress: wish.remoteAddress }));
  const [user] = await ctx.db.rows<{ id: string }>(lookups[by], { name });
  const userId = user?.id ?? randomUUID();
  await ctx.db.transaction((tx) => ctx.outbox.add(tx, sendRenewal, { userId, confirmationUrl: wish.confirmationUrl }));
}

/**
 * Follows the mailed link: the account gets a password made by us, which is mailed to its owner, and all its tokens
 * end. Throws ValidationError where the link is not valid any more.
 */
export async function renewPassword(ctx: Context, token: string): Promise<User> {
  return ctx.db.transaction(async (tx) => {
    const userId = await useMailToken(ctx, tx, token, 'RENEWAL');
    const user = userId === undefined ? undefined : await readUser(ctx, userId, tx);
    if (user?.state !== 'ACTIVE')
      throw new ValidationError([{ field: 'token', code: 'renewalToken', key: 'user.renewalToken' }]);
    const renewalId = randomUUID();
    const passwordHash = await hashPassword(newPassword(ctx, renewalId));
    await user.update({ passwordHash, updatedAt: ctx.clock.now() }, { transaction: tx });
    await revokeUserTokens(ctx, tx, user.id);
    await ctx.outbox.add(tx, sendNewPassword, { userId: user.id, renewalId });
    return user;
  });
}

/** Letters and digits that are not taken for each other: 32, so that five bits are one of them. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const passwordLetters = 16;

/**
 * The password of one renewal: 80 bits, in groups of four letters. It is derived from the service's key, so that the
 * job which mails it can make it again, however often it is tried, and the password itself stands in no queue.
 */
export function newPassword(ctx: Context, renewalId: string): string {
  const key = Buffer.from(ctx.config.encryptionKey, 'hex');
  const bytes = new Uint8Array(hkdfSync('sha256', key, '', `password renewal ${renewalId}`, passwordLetters));
  const letters = [...bytes].map((byte) => alphabet[byte % alphabet.length]).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}
