import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError, orNotFound } from '../platform/errors.js';
import { User } from './user.model.js';

/** Null if there is no such user. */
export async function findUser(ctx: Context, userId: string): Promise<User | null> {
  return ctx.db.model(User).findByPk(userId);
}

/** A user by user code, in any case. Null if there is none. */
export async function findUserByCode(ctx: Context, userCode: string): Promise<User | null> {
  const sql = 'SELECT * FROM users WHERE lower(user_code) = lower($userCode)';
  const [user = null] = await ctx.db.rows<User>(sql, { userCode });
  return user;
}

/** The id of a user code, in any case: user codes are unique without case (`docs/contract.md#choices-users`). */
export async function userIdOf(ctx: Context, userCode: string): Promise<string | undefined> {
  const [user] = await ctx.db.rows<{ id: string }>('SELECT id FROM users WHERE lower(user_code) = lower($userCode)', {
    userCode,
  });
  return user?.id;
}

/**
 * The id of the user with this e-mail, in any case. Accounts that were not activated do not count: their address is unconfirmed.
 */
export async function userIdOfEmail(ctx: Context, email: string): Promise<string | undefined> {
  const [user] = await ctx.db.rows<{ id: string }>(
    "SELECT id FROM users WHERE lower(email) = lower($email) AND state <> 'PENDING'",
    { email },
  );
  return user?.id;
}

/** An active user. Throws NotFoundError also for disabled and not yet activated accounts. */
export async function findPublisher(ctx: Context, userCode: string): Promise<User> {
  return onlyActive(await findUserByCode(ctx, userCode));
}

/** An active user by id. Throws NotFoundError as `findPublisher` does. */
export async function activeUser(ctx: Context, userId: string): Promise<User> {
  return onlyActive(await findUser(ctx, userId));
}

function onlyActive(user: User | null): User {
  if (user?.state !== 'ACTIVE') throw new NotFoundError();
  return user;
}

/**
 * The account of a caller. In a transaction the row is locked against updates, but not against foreign keys that refer to
 * it: a posting to the user's ledger account, for example, does not wait. Throws NotFoundError.
 */
export async function readUser(ctx: Context, userId: string, tx?: Transaction): Promise<User> {
  const user = await ctx.db.model(User).findByPk(userId, tx ? { transaction: tx, lock: 'NO KEY UPDATE' } : {});
  return orNotFound(user);
}

/** Changes the caller's account, whose row is locked. Resolves with the changed row. */
export async function changeUser(ctx: Context, tx: Transaction, userId: string, values: Partial<User>): Promise<User> {
  await ctx.db
    .model(User)
    .update({ ...values, updatedAt: ctx.clock.now() }, { where: { id: userId }, transaction: tx });
  return readUser(ctx, userId, tx);
}
