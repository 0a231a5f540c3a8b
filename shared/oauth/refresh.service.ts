import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { tokenHash } from '../platform/security/tokens.js';
import { OAuthError } from './oauth.errors.js';
import { issueInFamily, revokeFamily, type TokenResponse } from './token.service.js';

interface RefreshRow {
  readonly familyId: string;
  readonly userId: string;
  readonly state: string;
  readonly expiresAt: Date;
  readonly replacedAt: Date | null;
}

const invalid = () => new OAuthError('invalid_token', 'Invalid refresh token');

/**
 * Exchanges a refresh token for new tokens of its family; `docs/contract.md#choices-tokens`. A replaced refresh token is
 * accepted for a grace period (two browser tabs, a lost response). If it is used after that, it was probably stolen: the
 * whole family is revoked. Two exchanges within one family wait for each other. Throws OAuthError `invalid_token`.
 */
export async function refreshTokens(ctx: Context, clientId: string, refreshToken: string): Promise<TokenResponse> {
  const hash = tokenHash(refreshToken);
  // The error is returned and not thrown, so that the revocation is committed.
  const outcome = await ctx.db.transaction(async (tx): Promise<TokenResponse | OAuthError> => {
    const row = await lockRefreshToken(ctx, tx, hash);
    if (!row || row.state !== 'ACTIVE') return invalid();
    const now = ctx.clock.now();
    if (row.expiresAt <= now) return new OAuthError('invalid_token', 'Invalid refresh token (expired)');
    if (row.replacedAt && now.getTime() - row.replacedAt.getTime() > ctx.config.oauth.refreshGraceSeconds * 1000) {
      await revokeFamily(ctx, tx, { id: row.familyId, userId: row.userId });
      ctx.log.warn({ userId: row.userId, familyId: row.familyId }, 'refresh token reused: token family revoked');
      return invalid();
    }
    await ctx.db.change(
      'UPDATE refresh_tokens SET replaced_at = coalesce(replaced_at, $now) WHERE token_hash = $hash',
      { hash, now },
      tx,
    );
    return issueInFamily(ctx, tx, { clientId, userId: row.userId, familyId: row.familyId });
  });
  if (outcome instanceof OAuthError) throw outcome;
  return outcome;
}

/**
 * Locks the family's row first and reads the token afterwards, so that a replacement which held the lock before is seen.
 */
async function lockRefreshToken(ctx: Context, tx: Transaction, hash: Buffer): Promise<RefreshRow | undefined> {
  const [family] = await ctx.db.rows<{ id: string }>(
    `SELECT f.id FROM token_families f
      WHERE f.id = (SELECT r.family_id FROM refresh_tokens r WHERE r.token_hash = $hash)
        FOR UPDATE`,
    { hash },
    tx,
  );
  if (!family) return undefined;
  const [row] = await ctx.db.rows<RefreshRow>(
    `SELECT r.family_id, r.expires_at, r.replaced_at, f.user_id, u.state
       FROM refresh_tokens r JOIN token_families f ON f.id = r.family_id JOIN users u ON u.id = f.user_id
      WHERE r.token_hash = $hash`,
    { hash },
    tx,
  );
  return row;
}
