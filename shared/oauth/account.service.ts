import type { Context } from '../platform/context.js';
import { ValidationError } from '../platform/errors.js';
import { hashPassword, verifyPassword } from '../platform/security/passwords.js';
import { readUser } from '../user/user.service.js';
import { revokeUserTokens } from './token.service.js';
import { assertNotThrottled, countFailure, loginSubjects } from './throttle.js';

/**
 * Changes the caller's password and ends every token of the account (`docs/contract.md#choices-tokens`), the caller's included.
 * Throws ValidationError where the current password is wrong; guesses count as failed logins do.
 */
export async function updatePassword(
  ctx: Context,
  change: {
    readonly userId: string;
    readonly currentPassword: string;
    readonly newPassword: string;
    readonly remoteAddress: string;
  },
): Promise<void> {
  const user = await readUser(ctx, change.userId);
  const subjects = loginSubjects(ctx, { userCode: user.userCode, remoteAddress: change.remoteAddress });
  await assertNotThrottled(ctx, subjects);
  if (!(await verifyPassword(change.currentPassword, user.passwordHash))) {
    await countFailure(ctx, subjects);
    throw new ValidationError([{ field: 'currentPassword', code: 'currentPassword', key: 'user.currentPassword' }]);
  }
  const passwordHash = await hashPassword(change.newPassword);
  await ctx.db.transaction(async (tx) => {
    const locked = await readUser(ctx, user.id, tx);
    await locked.update({ passwordHash, updatedAt: ctx.clock.now() }, { transaction: tx });
    await revokeUserTokens(ctx, tx, user.id);
  });
}

/** Closes the caller's account: no token works, no login succeeds, and public search forgets what it published. */
export async function disableAccount(ctx: Context, userId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const user = await readUser(ctx, userId, tx);
    await user.update({ state: 'DISABLED', updatedAt: ctx.clock.now() }, { transaction: tx });
    await revokeUserTokens(ctx, tx, userId);
    await ctx.search.markDirty(tx, 'user', userId);
  });
}
