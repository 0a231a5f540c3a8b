import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import { violatedUniqueIndex } from '../platform/database/databaseErrors.js';
import { ValidationError, type FieldError } from '../platform/errors.js';
import { hashPassword } from '../platform/security/passwords.js';
import { takeMailToken } from './mailToken.service.js';
import { sendActivation } from './user.jobs.js';
import { User } from './user.model.js';
import { changeUser, readUser, userIdOf, userIdOfEmail } from './user.queries.js';

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
 * Creates an account; `docs/contract.md#choices-users`. With an activation URL, the user can log in only after opening the mailed
 * link; without one, the account is active at once. Neither the result nor its duration shows whether the e-mail belongs to another
 * account: the new account then cannot be activated, and the owner of the address gets a mail. Throws ValidationError if the user
 * code is taken; user codes are public.
 */
export async function registerUser(ctx: Context, registration: Registration): Promise<User> {
  const { password, activationUrl, ...data } = registration;
  if ((await userIdOf(ctx, data.userCode)) !== undefined) throw new ValidationError([userCodeTaken(data.userCode)]);
  const passwordHash = await hashPassword(ctx, password);
  const isKnown = (await userIdOfEmail(ctx, data.email)) !== undefined;
  const create = (state: 'ACTIVE' | 'PENDING') => createUser(ctx, { ...data, passwordHash, state }, activationUrl);
  return rejectingTaken({ users_user_code: userCodeTaken(data.userCode) }, async () => {
    if (isKnown || activationUrl !== undefined) return create('PENDING');
    try {
      return await create('ACTIVE');
    } catch (error) {
      // A concurrent registration has taken the address.
      if (violatedUniqueIndex(error) === 'users_email') return create('PENDING');
      throw error;
    }
  });
}

async function createUser(
  ctx: Context,
  data: Omit<Registration, 'password' | 'activationUrl'> & Pick<User, 'passwordHash' | 'state'>,
  activationUrl: string | undefined,
): Promise<User> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const user = await ctx.db
      .model(User)
      .create({ id: randomUUID(), ...data, lastActivityAt: now, createdAt: now, updatedAt: now }, { transaction: tx });
    if (user.state === 'PENDING') await ctx.outbox.add(tx, sendActivation, { userId: user.id, activationUrl });
    await ctx.search.markDirty(tx, 'user', user.id);
    return user;
  });
}

/**
 * Records that the activation mail was sent, or will not be sent: from now on the account is kept for 48 hours. Before, the user
 * could not activate it.
 */
export async function recordActivationMail(ctx: Context, userId: string): Promise<void> {
  const activationMailedAt = ctx.clock.now();
  await ctx.db.model(User).update({ activationMailedAt }, { where: { id: userId, state: 'PENDING' } });
}

/**
 * Activates the account of a mailed token. Throws ValidationError if the token is invalid or has expired, and if another account
 * with the same e-mail was activated before.
 */
export async function activateUser(ctx: Context, token: string): Promise<User> {
  return rejectingTaken({ users_email: { field: 'token', code: 'taken', key: 'user.emailTaken' } }, () =>
    ctx.db.transaction(async (tx) => {
      const userId = await takeMailToken(ctx, tx, token, 'ACTIVATION');
      const user = userId === undefined ? undefined : await readUser(ctx, userId, tx);
      if (user?.state !== 'PENDING')
        throw new ValidationError([{ field: 'token', code: 'activationToken', key: 'user.activationToken' }]);
      await ctx.search.markDirty(tx, 'user', user.id);
      return changeUser(ctx, tx, user.id, { state: 'ACTIVE' });
    }),
  );
}

function userCodeTaken(userCode: string): FieldError {
  return { field: 'userCode', code: 'taken', key: 'user.userCodeTaken', rejectedValue: userCode };
}

/**
 * Runs `work` and converts the violation of a unique index into its ValidationError. Of two concurrent registrations, the unique
 * index rejects one.
 */
export async function rejectingTaken<Result>(
  errors: { readonly users_user_code?: FieldError; readonly users_email?: FieldError },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const taken = new Map(Object.entries(errors)).get(violatedUniqueIndex(error) ?? '');
    throw taken ? new ValidationError([taken]) : error;
  }
}
