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

/** How long a refresh token that was just replaced still works: for two tabs that refresh at once, or a lost response. */
const graceMs = 10_000;

/** A refresh token with its family. */
interface RefreshRow {
  readonly familyId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly state: string;
  /** False: the family has had many newer tokens since. */
  readonly isKept: boolean;
  readonly parentHash: Buffer | null;
  /** That of the family where the token is not kept. */
  readonly expiresAt: Date;
  readonly replacedAt: Date | null;
  readonly endedAt: Date | null;
  /** A token that it was exchanged for has itself been exchanged. */
  readonly isSuccessorUsed: boolean;
  /** How often it was exchanged. */
  readonly exchanges: number;
}

export interface RefreshAttempt {
  readonly clientId: string;
  readonly refreshToken: string;
  readonly remoteAddress: string;
}

/** A refused refresh token: what is wrong with it. */
interface Refusal {
  readonly refused: string;
}

const invalid: Refusal = { refused: 'Invalid refresh token' };

/**
 * Exchanges a refresh token for new tokens of its family; `docs/contract.md#choices-tokens`. Throws OAuthError
 * `invalid_token` for a token that is refused, and `invalid_grant` for an empty one and for a refused one that is
 * presented again: clients then log in anew instead of refreshing for ever. Throws TooManyRequestsError for too many
 * refused tokens from one address.
 */
export async function refreshTokens(
  ctx: Context,
  { clientId, refreshToken, remoteAddress }: RefreshAttempt,
): Promise<TokenResponse> {
  if (refreshToken.trim() === '') throw new OAuthError('invalid_grant', 'Empty refresh token');
  const hash = tokenHash(refreshToken);
  // The refusal is returned and not thrown, so that a revocation is committed.
  const outcome = await ctx.db.transaction((tx) => exchange(ctx, tx, clientId, refreshToken));
  if (!('refused' in outcome)) return outcome;
  // Each is a row. Tokens that are accepted are not limited.
  await limitCalls(ctx, [addressSubject('refresh', remoteAddress)]);
  throw new OAuthError((await isPresentedAgain(ctx, hash)) ? 'invalid_grant' : 'invalid_token', outcome.refused);
}

/** Counts that a refused token was presented; whether it was presented before, within an hour. */
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
 * A replaced refresh token is accepted for a grace period (two browser tabs, a lost response), as long as none of its
 * successors is used. If it is used after that, it was probably stolen: the whole family is revoked. Two exchanges within
 * one family wait for each other.
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

/** Only tokens that were replaced or have ended are not kept while their family lives. */
function isReused({ isKept, isSuccessorUsed, replacedAt, expiresAt }: RefreshRow, now: Date): boolean {
  if (!isKept) return expiresAt > now;
  if (replacedAt === null) return false;
  return isSuccessorUsed || now.getTime() - replacedAt.getTime() > graceMs;
}

/**
 * Of several tokens that one token was exchanged for, the first one that is used goes on. The others end, with their access
 * tokens, and are kept: who presents one of them is refused, but does not end the family.
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
 * Locks the family's row first and reads the token afterwards, so that a replacement which held the lock before is seen.
 * `familyId`: the family that the token itself names, or null. Undefined where there is no such family any more.
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
    `SELECT f.id AS family_id, f.client_id, f.user_id, u.state, r.token_hash IS NOT NULL AS is_kept, r.parent_hash,
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
