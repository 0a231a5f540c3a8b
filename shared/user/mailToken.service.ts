import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { randomToken, tokenHash } from '../platform/security/tokens.js';

export type MailTokenPurpose = 'ACTIVATION' | 'RENEWAL';

/** How long the link in a mail works; `docs/contract.md#choices-users`. */
export const mailTokenHours: Readonly<Record<MailTokenPurpose, number>> = { ACTIVATION: 24, RENEWAL: 1 };

/** A single-use token for a link in a mail; only its hash is stored. */
export async function issueMailToken(ctx: Context, userId: string, purpose: MailTokenPurpose): Promise<string> {
  const token = randomToken();
  const expiresAt = new Date(ctx.clock.now().getTime() + mailTokenHours[purpose] * 3_600_000);
  await ctx.db.change(
    'INSERT INTO mail_tokens (token_hash, user_id, purpose, expires_at) VALUES ($hash, $userId, $purpose, $expiresAt)',
    {
      hash: tokenHash(token),
      userId,
      purpose,
      expiresAt,
    },
  );
  return token;
}

/** Uses a token up, with all others of its user and purpose. Resolves with the user's id, or undefined where it is not valid. */
export async function useMailToken(
  ctx: Context,
  tx: Transaction,
  token: string,
  purpose: MailTokenPurpose,
): Promise<string | undefined> {
  const [used] = await ctx.db.rows<{ userId: string }>(
    'DELETE FROM mail_tokens WHERE token_hash = $hash AND purpose = $purpose AND expires_at > $now RETURNING user_id',
    { hash: tokenHash(token), purpose, now: ctx.clock.now() },
    tx,
  );
  if (!used) return undefined;
  await dropMailTokens(ctx, tx, used.userId, purpose);
  return used.userId;
}

/** Links already mailed for this purpose work no more. */
export async function dropMailTokens(
  ctx: Context,
  tx: Transaction,
  userId: string,
  purpose: MailTokenPurpose,
): Promise<void> {
  await ctx.db.change(
    'DELETE FROM mail_tokens WHERE user_id = $userId AND purpose = $purpose',
    { userId, purpose },
    tx,
  );
}

/** A token that reached nobody. */
export async function dropMailToken(ctx: Context, token: string): Promise<void> {
  await ctx.db.change('DELETE FROM mail_tokens WHERE token_hash = $hash', { hash: tokenHash(token) });
}

/** How many links of a purpose would work now. */
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
