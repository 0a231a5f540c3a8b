import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ValidationError } from '../platform/errors.js';
import { hashPassword, verifyPassword } from '../platform/security/passwords.js';
import { endEmailChanges } from './emailChange.service.js';
import { deleteMailTokens } from './mailToken.service.js';
import { changeUser, readUser } from './user.queries.js';

/**
 * Revokes every access and refresh token of a user in the caller's transaction. Tokens belong to the higher domain `oauth`, so the
 * caller passes the function: `revokeUserTokens` of `shared/oauth/token.service.ts`.
 */
export type RevokeTokens = (ctx: Context, tx: Transaction, userId: string) => Promise<void>;

/** The current password that was sent is wrong. 400; the caller counts it as a failed login. */
export class WrongPasswordError extends ValidationError {
  constructor() {
    super([{ field: 'currentPassword', code: 'currentPassword', key: 'user.currentPassword' }]);
  }
}

/**
 * Changes the caller's password and revokes every token of the account, the caller's included
 * (`docs/contract.md#choices-tokens`). Throws WrongPasswordError, NotFoundError.
 */
export async function updatePassword(
  ctx: Context,
  change: { readonly userId: string; readonly currentPassword: string; readonly newPassword: string },
  revokeTokens: RevokeTokens,
): Promise<void> {
  const user = await readUser(ctx, change.userId);
  if (!(await verifyPassword(ctx, change.currentPassword, user.passwordHash))) throw new WrongPasswordError();
  const passwordHash = await hashPassword(ctx, change.newPassword);
  await ctx.db.transaction(async (tx) => {
    const locked = await readUser(ctx, user.id, tx);
    // The password was changed or reset while the sent one was verified.
    if (locked.passwordHash !== user.passwordHash) throw new WrongPasswordError();
    await changeUser(ctx, tx, user.id, { passwordHash });
    await revokeCredentials(ctx, tx, user.id, revokeTokens);
  });
}

/**
 * Disables the caller's account: revokes all tokens, rejects all logins, and removes the user's items from the public search.
 * Throws NotFoundError.
 */
export async function disableAccount(ctx: Context, userId: string, revokeTokens: RevokeTokens): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await readUser(ctx, userId, tx);
    await changeUser(ctx, tx, userId, { state: 'DISABLED' });
    await revokeCredentials(ctx, tx, userId, revokeTokens);
    await ctx.search.markDirty(tx, 'user', userId);
  });
}

/** Revokes all tokens of a user, and all mailed links for a password reset or a new address. */
export async function revokeCredentials(
  ctx: Context,
  tx: Transaction,
  userId: string,
  revokeTokens: RevokeTokens,
): Promise<void> {
  await revokeTokens(ctx, tx, userId);
  await deleteMailTokens(ctx, tx, userId, 'RENEWAL');
  await endEmailChanges(ctx, tx, userId);
}
