import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { Tunable } from '../platform/tunable.js';
import { randomToken, tokenHash } from '../platform/security/tokens.js';
import { MailToken } from './mailToken.model.js';

/** The purpose of a mailed link: activates an account, or resets the password (stored as `RENEWAL`). */
export type MailTokenPurpose = 'ACTIVATION' | 'RENEWAL';

/** Validity of a mailed link; `docs/contract.md#choices-users`. */
export const mailTokenHours: Readonly<Record<MailTokenPurpose, number>> = { ACTIVATION: 24, RENEWAL: 1 };
/**
 * Maximum number of mails of each kind (password reset, change of address) per hour to one user or one unconfirmed address:
 * protects against mail bombing.
 */
export const renewalsPerHour = new Tunable(5);

/** A new single-use token for a mailed link. Only its hash is stored. */
export async function issueMailToken(ctx: Context, userId: string, purpose: MailTokenPurpose): Promise<string> {
  const token = randomToken();
  const expiresAt = new Date(ctx.clock.now().getTime() + mailTokenHours[purpose] * 3_600_000);
  await ctx.db.model(MailToken).create({ tokenHash: tokenHash(token), userId, purpose, expiresAt });
  return token;
}

/**
 * Uses a token: deletes it and all other tokens of its user and purpose, and keeps the user's row locked. Resolves with the user's
 * id, or undefined if the token is unknown or has expired.
 */
export async function takeMailToken(
  ctx: Context,
  tx: Transaction,
  token: string,
  purpose: MailTokenPurpose,
): Promise<string | undefined> {
  // The user's row is locked first, as in every change of an account: a new password locks the row and then deletes mail tokens.
  await ctx.db.rows(
    `SELECT id FROM users WHERE id = (SELECT user_id FROM mail_tokens WHERE token_hash = $hash)
        FOR NO KEY UPDATE`,
    { hash: tokenHash(token) },
    tx,
  );
  const [taken] = await ctx.db.rows<{ userId: string }>(
    'DELETE FROM mail_tokens WHERE token_hash = $hash AND purpose = $purpose AND expires_at > $now RETURNING user_id',
    { hash: tokenHash(token), purpose, now: ctx.clock.now() },
    tx,
  );
  if (!taken) return undefined;
  await deleteMailTokens(ctx, tx, taken.userId, purpose);
  return taken.userId;
}

/** Whether a token is valid at present. Another request may use it before the caller does. */
export async function isMailTokenValid(ctx: Context, token: string, purpose: MailTokenPurpose): Promise<boolean> {
  const rows = await ctx.db.rows(
    'SELECT 1 FROM mail_tokens WHERE token_hash = $hash AND purpose = $purpose AND expires_at > $now',
    { hash: tokenHash(token), purpose, now: ctx.clock.now() },
  );
  return rows.length > 0;
}

/** Makes all links invalid that were mailed to a user for this purpose. */
export async function deleteMailTokens(
  ctx: Context,
  tx: Transaction,
  userId: string,
  purpose: MailTokenPurpose,
): Promise<void> {
  await ctx.db.model(MailToken).destroy({ where: { userId, purpose }, transaction: tx });
}

/** Deletes a token whose mail could not be sent. */
export async function deleteMailToken(ctx: Context, token: string): Promise<void> {
  await ctx.db.model(MailToken).destroy({ where: { tokenHash: tokenHash(token) } });
}

/** Number of valid links of this user and purpose. */
export async function countMailTokens(ctx: Context, userId: string, purpose: MailTokenPurpose): Promise<number> {
  const [row] = await ctx.db.rows<{ count: number }>(
    `SELECT count(*)::integer AS count FROM mail_tokens
      WHERE user_id = $userId AND purpose = $purpose AND expires_at > $now`,
    { userId, purpose, now: ctx.clock.now() },
  );
  return row?.count ?? 0;
}

/** The link of a template: every `${token}` is replaced (`docs/contract.md#users`). */
export function linkOf(template: string, token: string): string {
  return template.replaceAll('${token}', () => token);
}
