import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { violatedUniqueIndex } from '../platform/database/databaseErrors.js';
import { TooManyRequestsError } from '../platform/errors.js';
import { randomToken, tokenHash } from '../platform/security/tokens.js';
import { EmailChange } from './emailChange.model.js';
import { sendEmailChange, type SendEmailChangePayload } from './emailChange.jobs.js';
import { deleteMailTokens, renewalsPerHour } from './mailToken.service.js';
import type { User } from './user.model.js';
import { changeUser, findUser, readUser } from './user.queries.js';

/** How long the link that confirms a new address is valid; `docs/contract.md#choices-users`. */
export const emailChangeHours = 24;
const hourMs = 3_600_000;

/**
 * Requests a change of address: it takes effect when the user opens the link that is mailed to the new address. Both addresses get
 * a mail. The caller has locked the user's row. Throws TooManyRequestsError beyond `renewalsPerHour` changes.
 */
export async function requestEmailChange(ctx: Context, tx: Transaction, user: User, newEmail: string): Promise<void> {
  const changeId = await createChange(ctx, tx, user, newEmail);
  await addMail(ctx, tx, { changeId, mail: 'confirm' });
  await addMail(ctx, tx, { changeId, mail: 'requested' });
}

/**
 * Changes the address at once, and notifies the old one. The caller has locked the user's row and verified the password. Throws
 * TooManyRequestsError beyond `renewalsPerHour` changes, and an error of the unique index `users_email`.
 */
export async function changeEmail(ctx: Context, tx: Transaction, user: User, newEmail: string): Promise<void> {
  await apply(ctx, tx, user, { id: await createChange(ctx, tx, user, newEmail), newEmail });
}

/** Issues the token of a change whose link is about to be mailed. A retry of the mail replaces the token. */
export async function issueEmailChangeToken(ctx: Context, changeId: string): Promise<string> {
  const token = randomToken();
  const expiresAt = new Date(ctx.clock.now().getTime() + emailChangeHours * hourMs);
  await ctx.db.model(EmailChange).update({ tokenHash: tokenHash(token), expiresAt }, { where: { id: changeId } });
  return token;
}

/** A change by its id. Null if it no longer exists. */
export async function findEmailChange(ctx: Context, changeId: string): Promise<EmailChange | null> {
  return ctx.db.model(EmailChange).findByPk(changeId);
}

/** Whether a change waits for its confirmation. */
export function isPending(ctx: Context, { appliedAt, expiresAt }: EmailChange): boolean {
  return appliedAt === null && expiresAt > ctx.clock.now();
}

/** The account and the new address of a mailed token; undefined if the token is invalid. Changes nothing. */
export async function readEmailChange(
  ctx: Context,
  token: string,
): Promise<{ readonly change: EmailChange; readonly user: User } | undefined> {
  const change = await ctx.db.model(EmailChange).findOne({ where: { tokenHash: tokenHash(token) } });
  if (!change || !isPending(ctx, change)) return undefined;
  const user = await findUser(ctx, change.userId);
  return user?.state === 'ACTIVE' ? { change, user } : undefined;
}

/** The result of a confirmation. `taken`: another account uses the address meanwhile. */
export type Confirmation = 'done' | 'invalid' | 'taken';

/** Confirms a change with the token of the mailed link: the new address takes effect, and the old one is notified. */
export async function confirmEmailChange(ctx: Context, token: string): Promise<Confirmation> {
  const found = await readEmailChange(ctx, token);
  if (!found) return 'invalid';
  try {
    return await ctx.db.transaction(async (tx) => {
      // The user's row is locked first, as in every change of an account: no deadlock.
      const user = await readUser(ctx, found.user.id, tx);
      const change = await ctx.db.model(EmailChange).findByPk(found.change.id, { transaction: tx });
      if (user.state !== 'ACTIVE' || !change?.tokenHash?.equals(tokenHash(token)) || !isPending(ctx, change))
        return 'invalid';
      await apply(ctx, tx, user, change);
      return 'done';
    });
  } catch (error) {
    if (violatedUniqueIndex(error) === 'users_email') return 'taken';
    throw error;
  }
}

/** Ends a user's unconfirmed changes: their links become invalid. */
export async function endEmailChanges(ctx: Context, tx: Transaction, userId: string): Promise<void> {
  await ctx.db.change(
    'UPDATE email_changes SET expires_at = $now WHERE user_id = $userId AND applied_at IS NULL AND expires_at > $now',
    { userId, now: ctx.clock.now() },
    tx,
  );
}

async function createChange(ctx: Context, tx: Transaction, user: User, newEmail: string): Promise<string> {
  const now = ctx.clock.now();
  const [recent] = await ctx.db.rows<{ count: number }>(
    'SELECT count(*)::integer AS count FROM email_changes WHERE user_id = $userId AND created_at > $since',
    { userId: user.id, since: new Date(now.getTime() - hourMs) },
    tx,
  );
  const maximum = ctx.config.limit(renewalsPerHour);
  if ((recent?.count ?? 0) >= maximum)
    throw new TooManyRequestsError(hourMs / 1000, { maximum, seconds: hourMs / 1000 });
  const change = await ctx.db.model(EmailChange).create(
    {
      id: randomUUID(),
      userId: user.id,
      oldEmail: user.email,
      newEmail,
      createdAt: now,
      expiresAt: new Date(now.getTime() + emailChangeHours * hourMs),
    },
    { transaction: tx },
  );
  return change.id;
}

/** Applies a change. Links that were mailed to the old address, and other requested changes, become invalid. */
async function apply(
  ctx: Context,
  tx: Transaction,
  user: User,
  change: { readonly id: string; readonly newEmail: string },
): Promise<void> {
  await changeUser(ctx, tx, user.id, { email: change.newEmail });
  await deleteMailTokens(ctx, tx, user.id, 'RENEWAL');
  await ctx.db.model(EmailChange).update({ appliedAt: ctx.clock.now() }, { where: { id: change.id }, transaction: tx });
  await endEmailChanges(ctx, tx, user.id);
  await addMail(ctx, tx, { changeId: change.id, mail: 'changed' });
}

function addMail(ctx: Context, tx: Transaction, payload: SendEmailChangePayload): Promise<void> {
  return ctx.outbox.add(tx, sendEmailChange, payload);
}
