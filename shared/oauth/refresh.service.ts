import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { addressSubject } from '../platform/throttle/subject.js';
import { limitCalls } from '../platform/throttle/throttle.js';
import { tokenHash } from '../platform/security/tokens.js';
import { refusedTokenSubject } from './loginAttempts.js';
import { dropCachedAccess } from './accessCache.js';
import { TooManyRequestsError } from '../platform/errors.js';
import { OAuthError } from './oauth.errors.js';
import { familyIdOf } from './refreshToken.js';
import { exchangesOfToken } from './tokenBounds.js';
import { issueInFamily, revokeFamily, type TokenResponse } from './token.service.js';

/**
 * Grace period in which a replaced refresh token is accepted: for two tabs that refresh at the same time, or a lost
 * response.
 */
const graceMs = 10_000;

/** A refresh token with its family. */
interface RefreshRow {
  readonly familyId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly state: string;
  /** False: the row was deleted, because the family has many newer tokens. */
  readonly isStored: boolean;
  readonly parentHash: Buffer | null;
  /** The family's expiry if the token is not stored. */
  readonly expiresAt: Date;
  readonly replacedAt: Date | null;
  readonly endedAt: Date | null;
  /** A successor of this token has been exchanged too. */
  readonly isSuccessorUsed: boolean;
  /** Number of times it was exchanged. */
  readonly exchanges: number;
}

export interface RefreshAttempt {
  readonly clientId: string;
  readonly refreshToken: string;
  readonly remoteAddress: string;
}

/** The error description of a rejected refresh token. */
interface Refusal {
  readonly refused: string;
}

const invalid: Refusal = { refused: 'Invalid refresh token' };

/**
 * Exchanges a refresh token for new tokens of its family; `docs/contract.md#choices-tokens`. Throws OAuthError
 * `invalid_token` for a rejected token, and `invalid_grant` for an empty token or for a rejected token that is
 * presented again: the client then logs in again instead of repeating the refresh. Throws TooManyRequestsError for too
 * many rejected tokens from one address.
 */
export async function refreshTokens(
  ctx: Context,
  { clientId, refreshToken, remoteAddress }: RefreshAttempt,
): Promise<TokenResponse> {
  if (refreshToken.trim() === '') throw new OAuthError('invalid_grant', 'Empty refresh token');
  const hash = tokenHash(refreshToken);
  // The rejection is returned and not thrown, so that a revocation is committed.
  const outcome = await ctx.db.transaction((tx) => exchange(ctx, tx, clientId, refreshToken));
  if (!('refused' in outcome)) return outcome;
  // Only rejected tokens are limited, because each is stored as a row (`isPresentedAgain`).
  await limitCalls(ctx, [addressSubject('refresh', remoteAddress)]);
  throw new OAuthError((await isPresentedAgain(ctx, hash)) ? 'invalid_grant' : 'invalid_token', outcome.refused);
}

/** Counts a presentation of a rejected token. Resolves with whether it was also presented in the hour before. */
async function isPresentedAgain(ctx: Context, hash: Buffer): Promise<boolean> {
  try {
    await limitCalls(ctx, [refusedTokenSubject(hash)]);
    return false;
  } catch (error) {
    if (error instanceof TooManyRequestsError) return true;
    throw error;
  }
}

/**
 * A replaced refresh token is accepted in a grace period (two browser tabs, a lost response) until one of its
 * successors is used. A later use means that it was probably stolen: the family is revoked. Exchanges within a family
 * are serialized.
 */
async function exchange(
  ctx: Context,
  tx: Transaction,
  clientId: string,
  token: string,
): Promise<TokenResponse | Refusal> {
  const hash = tokenHash(token);
  const row = await lockRefreshToken(ctx, tx, { hash, familyId: familyIdOf(ctx.config, token) ?? null });
  if (!row || row.state !== 'ACTIVE') return invalid;
  if (row.clientId !== clientId) return invalid;
  const now = ctx.clock.now();
  if (isReused(row, now)) {
    await revokeFamily(ctx, tx, { id: row.familyId, userId: row.userId });
    ctx.log.warn({ userId: row.userId, familyId: row.familyId }, 'refresh token reused: token family revoked');
    return invalid;
  }
  if (row.expiresAt <= now) return { refused: 'Invalid refresh token (expired)' };
  if (row.endedAt !== null || row.exchanges >= exchangesOfToken) return invalid;
  if (row.replacedAt === null) await endSiblings(ctx, tx, row, hash);
  await ctx.db.change(
    'UPDATE refresh_tokens SET replaced_at = coalesce(replaced_at, $now) WHERE token_hash = $hash',
    { hash, now },
    tx,
  );
  return issueInFamily(ctx, tx, { clientId, userId: row.userId, familyId: row.familyId, parentHash: hash });
}

/**
 * While a family exists, only rows of replaced or ended tokens are deleted. A presented token without a row therefore
 * counts as reused.
 */
function isReused({ isStored, isSuccessorUsed, replacedAt, expiresAt }: RefreshRow, now: Date): boolean {
  if (!isStored) return expiresAt > now;
  if (replacedAt === null) return false;
  return isSuccessorUsed || now.getTime() - replacedAt.getTime() > graceMs;
}

/**
 * Of several tokens issued in exchange for one token, the first that is used stays valid. The other tokens end with
 * their access tokens. Their rows stay, so that presenting one is rejected without revoking the family.
 */
async function endSiblings(ctx: Context, tx: Transaction, row: RefreshRow, hash: Buffer): Promise<void> {
  if (row.parentHash === null) return;
  const ended = await ctx.db.rows<{ tokenHash: Buffer }>(
    `UPDATE refresh_tokens SET ended_at = $now
      WHERE parent_hash = $parentHash AND token_hash <> $hash AND ended_at IS NULL RETURNING token_hash`,
    { parentHash: row.parentHash, hash, now: ctx.clock.now() },
    tx,
  );
  if (ended.length === 0) return;
  const hashes = ended.map(({ tokenHash: endedHash }) => endedHash);
  await ctx.db.change('DELETE FROM access_tokens WHERE refresh_hash = ANY($hashes)', { hashes }, tx);
  tx.afterCommit(() => dropCachedAccess(ctx, row.userId));
}

/**
 * Locks the family's row and then reads the token, so that it sees a replacement that held the lock before. `familyId`:
 * the family id signed in the token, or null. Undefined: the family no longer exists.
 */
async function lockRefreshToken(
  ctx: Context,
  tx: Transaction,
  token: { readonly hash: Buffer; readonly familyId: string | null },
): Promise<RefreshRow | undefined> {
  const [family] = await ctx.db.rows<{ id: string }>(
    `SELECT f.id FROM token_families f
      WHERE f.id = coalesce((SELECT r.family_id FROM refresh_tokens r WHERE r.token_hash = $hash), $familyId::uuid)
        FOR UPDATE`,
    token,
    tx,
  );
  if (!family) return undefined;
  const [row] = await ctx.db.rows<RefreshRow>(
    `SELECT f.id AS family_id, f.client_id, f.user_id, u.state, r.token_hash IS NOT NULL AS is_stored, r.parent_hash,
            coalesce(r.expires_at, f.expires_at) AS expires_at, r.replaced_at, r.ended_at,
            successors.*
       FROM token_families f JOIN users u ON u.id = f.user_id
       LEFT JOIN refresh_tokens r ON r.token_hash = $hash AND r.family_id = f.id,
            LATERAL (SELECT count(*)::integer AS exchanges, coalesce(bool_or(s.replaced_at IS NOT NULL), false) AS is_successor_used
                       FROM refresh_tokens s WHERE s.parent_hash = $hash) successors
      WHERE f.id = $familyId`,
    { hash: token.hash, familyId: family.id },
    tx,
  );
  return row;
}
