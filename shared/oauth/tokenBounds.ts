import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { tokenHash } from '../platform/security/tokens.js';
import { deleteInBatches } from '../platform/database/deleteInBatches.js';

/** Logins of one user that are kept, on as many devices; the tokens of older ones end. */
const familiesOfUser = 50;
/** Access and refresh tokens that are kept of one login. Clients use the latest. */
const tokensOfFamily = 20;
/** How often a refresh token is exchanged in its grace period, so that it and what it was exchanged for are all kept. */
export const exchangesOfToken = tokensOfFamily - 1;
/** Public tokens that are kept of one client. All visitors of a site have tokens of one client. */
const publicTokensOfClient = 100_000;

/** Keeps the new family. Rows that another transaction has locked are left to the next call. */
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
 * Keeps the new tokens. The caller has locked the family's row, or has just inserted it. Access tokens go with their refresh
 * tokens, so tokens of one moment are in the same order in both tables.
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
 * Removes the oldest public tokens of clients that have more than `kept`; their holders get new ones. Resolves with the
 * number of deleted rows.
 */
export async function sweepPublicTokens(
  ctx: Context,
  signal: AbortSignal,
  kept: number = publicTokensOfClient,
): Promise<number> {
  const clients = await ctx.db.rows<{ clientId: string; before: Date | null }>(
    `SELECT c.client_id, (SELECT a.expires_at FROM access_tokens a
                           WHERE a.client_id = c.client_id AND a.user_id IS NULL
                           ORDER BY a.expires_at DESC OFFSET $kept LIMIT 1) AS before
       FROM (SELECT DISTINCT client_id FROM access_tokens WHERE user_id IS NULL) c`,
    { kept },
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
