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
 * Exchanges a refresh token for new tokens of its family; `docs/contract.md#choices-tokens`. The one just replaced still answers
 * for the grace period (two tabs, a lost response). One replaced longer ago has been stolen, or its thief is
 * ahead: the whole family ends. Two exchanges of one family wait for each other.
 */
export async function refreshTokens(ctx: Context, clientId: string, refreshToken: string): Promise<TokenResponse> {
  const hash = tokenHash(refreshToken);
  // A refusal must commit what it revokes, so it is returned, not thrown, out of the transaction.
  const outcome = await ctx.db.transaction(async (tx): Promise<TokenResponse | OAuthError> => {
    const row = await lockRefreshToken(ctx, tx, hash);
    if (!row || row.state !== 'ACTIVE') return invalid();
    const now = ctx.clock.now();
    if (row.expiresAt <= now) return new OAuthError('invalid_token', 'Invalid refresh token (expired)');
    if (row.replacedAt && now.getTime() - row.replacedAt.getTime() > ctx.config.oauth.refreshGraceSeconds * 1000) {
      await revokeFamily(ctx, tx, { id: row.familyId, userId: row.userId });
      ctx.log.warn(
        { userId: row.userId, familyId: row.familyId },
        'a replaced refresh token came again: its family is revoked',
      );
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

/** The family's row is locked first and the token read after, so that a replacement that was waited for is seen. */
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
