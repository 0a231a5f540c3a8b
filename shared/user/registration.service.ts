import { randomUUID } from 'node:crypto';
import { Op, col, fn, where } from 'sequelize';
import type { Context } from '../platform/context.js';
import { violatedUniqueIndex } from '../platform/database/databaseErrors.js';
import { ValidationError, type FieldError } from '../platform/errors.js';
import { hashPassword } from '../platform/security/passwords.js';
import { takeMailToken } from './mailToken.service.js';
import { sendActivation } from './user.jobs.js';
import { User } from './user.model.js';
import { readUser } from './user.queries.js';

/** Body of a registration (`docs/contract.md#users`), validated by `api/user/user.schemas.ts`. */
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

/**
 * Creates an account; `docs/contract.md#choices-users`. With an activation URL the user can log in only after following
 * the mailed link; without one the account is active at once. Throws ValidationError where user code or e-mail are taken.
 */
export async function registerUser(ctx: Context, registration: Registration): Promise<User> {
  const { password, activationUrl, ...data } = registration;
  await assertFree(ctx, data.userCode, data.email);
  const passwordHash = await hashPassword(ctx, password);
  const now = ctx.clock.now();
  return rejectingTaken(registration, () =>
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

/** Activates the account of a mailed token. Throws ValidationError where the token is not valid or has expired. */
export async function activateUser(ctx: Context, token: string): Promise<User> {
  return ctx.db.transaction(async (tx) => {
    const userId = await takeMailToken(ctx, tx, token, 'ACTIVATION');
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

/** Reports a taken user code and a taken e-mail together, before the password is hashed. */
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

/**
 * Runs `work` and turns a violated unique index into the ValidationError of a taken user code or e-mail. Of two
 * registrations at the same moment, the unique index rejects one.
 */
export async function rejectingTaken<Result>(
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
