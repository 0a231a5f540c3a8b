import { randomUUID } from 'node:crypto';
import { Op, col, fn, where } from 'sequelize';
import type { Context } from '../platform/context.js';
import { violatedUniqueIndex } from '../platform/database/databaseErrors.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError, ValidationError, type FieldError } from '../platform/errors.js';
import { hashPassword } from '../platform/security/passwords.js';
import { useMailToken } from './mailToken.service.js';
import { sendActivation } from './user.jobs.js';
import { User } from './user.model.js';

/** `docs/contract.md#users`, already checked by `api/user/user.schemas`. */
export interface Registration {
  readonly userCode: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
  /** yyyy-MM-dd */
  readonly birthDate: string;
  readonly email: string;
  readonly language: string;
  readonly activationUrl?: string | undefined;
}

/** User codes are matched without case. */
export async function findUserByCode(ctx: Context, userCode: string): Promise<User | null> {
  return ctx.db.model(User).findOne({ where: where(fn('lower', col('user_code')), userCode.toLowerCase()) });
}

/** The same where the id is all that is wanted. User codes are unique without case (`docs/contract.md#choices-users`). */
export async function userIdOf(ctx: Context, userCode: string): Promise<string | undefined> {
  const [user] = await ctx.db.rows<{ id: string }>('SELECT id FROM users WHERE lower(user_code) = lower($userCode)', {
    userCode,
  });
  return user?.id;
}

/** An account that others may see. Throws NotFoundError for unknown and disabled ones alike, and for those not active yet. */
export async function findPublisher(ctx: Context, userCode: string): Promise<User> {
  const user = await findUserByCode(ctx, userCode);
  if (!user || user.state !== 'ACTIVE') throw new NotFoundError();
  return user;
}

/**
 * The account of a caller; in a transaction it is locked against change, and yet may be referred to by others: whoever
 * posts to a user's account, say, does not wait. Throws NotFoundError.
 */
export async function readUser(ctx: Context, userId: string, tx?: Transaction): Promise<User> {
  const user = await ctx.db
    .model(User)
    .findByPk(userId, { transaction: tx ?? null, ...(tx ? { lock: tx.LOCK.NO_KEY_UPDATE } : {}) });
  if (!user) throw new NotFoundError();
  return user;
}

/**
 * Makes an account; `docs/contract.md#choices-users`. With an activation address it cannot log in before its owner has followed
 * the mailed link; without, it is active at once. Throws ValidationError where user code or e-mail are taken.
 */
export async function registerUser(ctx: Context, registration: Registration): Promise<User> {
  const { password, activationUrl, ...data } = registration;
  await assertFree(ctx, data.userCode, data.email);
  const passwordHash = await hashPassword(password);
  const now = ctx.clock.now();
  return refusingTaken(registration, () =>
    ctx.db.transaction(async (tx) => {
      const state = activationUrl === undefined ? 'ACTIVE' : 'PENDING';
      const user = await ctx.db
        .model(User)
        .create(
          { id: randomUUID(), ...data, passwordHash, state, lastActivityAt: now, createdAt: now, updatedAt: now },
          { transaction: tx },
        );
      if (activationUrl !== undefined) await ctx.outbox.add(tx, sendActivation, { userId: user.id, activationUrl });
      await ctx.search.markDirty(tx, 'user', user.id);
      return user.reload({ transaction: tx });
    }),
  );
}

/** Activates the account a mailed token belongs to. Throws ValidationError where the token is not valid any more. */
export async function activateUser(ctx: Context, token: string): Promise<User> {
  return ctx.db.transaction(async (tx) => {
    const userId = await useMailToken(ctx, tx, token, 'ACTIVATION');
    if (userId === undefined)
      throw new ValidationError([{ field: 'token', code: 'activationToken', key: 'user.activationToken' }]);
    const user = await readUser(ctx, userId, tx);
    if (user.state !== 'PENDING')
      throw new ValidationError([{ field: 'token', code: 'activationToken', key: 'user.activationToken' }]);
    await user.update({ state: 'ACTIVE', updatedAt: ctx.clock.now() }, { transaction: tx });
    await ctx.search.markDirty(tx, 'user', user.id);
    return user;
  });
}

/** Tells of a taken user code and a taken address together, before any work is spent. */
async function assertFree(ctx: Context, userCode: string, email: string): Promise<void> {
  const same = await ctx.db.model(User).findAll({
    attributes: ['userCode', 'email'],
    where: {
      [Op.or]: [
        where(fn('lower', col('user_code')), userCode.toLowerCase()),
        where(fn('lower', col('email')), email.toLowerCase()),
      ],
    },
  });
  const errors: FieldError[] = [];
  if (same.some((user) => user.userCode.toLowerCase() === userCode.toLowerCase()))
    errors.push(taken('userCode', userCode));
  if (same.some((user) => user.email.toLowerCase() === email.toLowerCase())) errors.push(taken('email', email));
  if (errors.length > 0) throw new ValidationError(errors);
}

function taken(field: 'userCode' | 'email' | 'profile.email', rejectedValue: string): FieldError {
  const key = field === 'userCode' ? 'user.userCodeTaken' : 'user.emailTaken';
  return { field, code: 'taken', key, rejectedValue };
}

/** Of two registrations at the same moment the unique index lets one through; the other gets the same refusal as a late one. */
export async function refusingTaken<Result>(
  values: { readonly userCode?: string; readonly email: string },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const index = violatedUniqueIndex(error);
    if (index === 'users_user_code') throw new ValidationError([taken('userCode', values.userCode ?? '')]);
    if (index === 'users_email')
      throw new ValidationError([taken(values.userCode === undefined ? 'profile.email' : 'email', values.email)]);
    throw error;
  }
}
