import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { tokenHash } from '../platform/security/tokens.js';
import { deleteInBatches } from '../platform/database/deleteInBatches.js';

/** Maximum number of a user's logins (devices); the tokens of older logins end. */
const familiesOfUser = 50;
/** Maximum number of stored access tokens, and of refresh tokens, of a login. Clients use the latest. */
const tokensOfFamily = 20;
/**
 * Maximum number of exchanges of a refresh token in its grace period: its row and those of its successors then stay
 * stored.
 */
export const exchangesOfToken = tokensOfFamily - 1;
/** Maximum number of stored public tokens of a client. All visitors of a site have tokens of one client. */
const publicTokensOfClient = 100_000;

/**
 * Deletes the user's families beyond the maximum, except the new one. Skips rows that another transaction has locked;
 * the next call deletes them.
 */
export async function removeOldestFamilies(
  ctx: Context,
  tx: Transaction,
  { userId, familyId }: { readonly userId: string; readonly familyId: string },
): Promise<void> {
  await ctx.db.change(
    `DELETE FROM token_families WHERE id IN (
       SELECT id FROM token_families
        WHERE id IN (SELECT id FROM token_families WHERE user_id = $userId
                      ORDER BY id = $familyId DESC, created_at DESC, id OFFSET $familiesOfUser)
          FOR UPDATE SKIP LOCKED)`,
    { userId, familyId, familiesOfUser },
    tx,
  );
}

/**
 * Deletes the family's tokens beyond the maximum, except the new ones. The caller has locked or just inserted the
 * family's row. Tokens of the same time are ordered equally in both tables, so that an access token is deleted together
 * with its refresh token.
 */
export async function removeOldestTokens(
  ctx: Context,
  tx: Transaction,
  familyId: string,
  newest: { readonly accessToken: string; readonly refreshToken: string },
): Promise<void> {
  for (const [table, token, pair] of [
    ['access_tokens', newest.accessToken, 'refresh_hash'],
    ['refresh_tokens', newest.refreshToken, 'token_hash'],
  ] as const)
    await ctx.db.change(
      `DELETE FROM ${table} WHERE token_hash IN (
         SELECT token_hash FROM ${table} WHERE family_id = $familyId
          ORDER BY token_hash = $newest DESC, expires_at DESC, ${pair} OFFSET $tokensOfFamily)`,
      { familyId, newest: tokenHash(token), tokensOfFamily },
      tx,
    );
}

/**
 * Deletes the oldest public tokens of clients with more than `maxTokens`; their holders request new tokens. Resolves
 * with the number of deleted rows.
 */
export async function sweepPublicTokens(
  ctx: Context,
  signal: AbortSignal,
  maxTokens: number = publicTokensOfClient,
): Promise<number> {
  const clients = await ctx.db.rows<{ clientId: string; before: Date | null }>(
    `SELECT c.client_id, (SELECT a.expires_at FROM access_tokens a
                           WHERE a.client_id = c.client_id AND a.user_id IS NULL
                           ORDER BY a.expires_at DESC OFFSET $maxTokens LIMIT 1) AS before
       FROM (SELECT DISTINCT client_id FROM access_tokens WHERE user_id IS NULL) c`,
    { maxTokens },
  );
  let deleted = 0;
  for (const { clientId, before } of clients) {
    if (before === null) continue;
    deleted += await deleteInBatches(
      ctx,
      `DELETE FROM access_tokens WHERE token_hash IN (
         SELECT token_hash FROM access_tokens
          WHERE client_id = $clientId AND user_id IS NULL AND expires_at <= $before LIMIT $batchRows)`,
      { clientId, before },
      signal,
    );
  }
  return deleted;
}
