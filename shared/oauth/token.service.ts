import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { randomToken, tokenHash } from '../platform/security/tokens.js';
import { User } from '../user/user.model.js';
import { removeOldestFamilies, removeOldestTokens } from './tokenBounds.js';
import { dropCachedAccess } from './accessCache.js';
import { AccessToken, RefreshToken, TokenFamily } from './oauth.model.js';
import { createRefreshToken } from './refreshToken.js';

/** Token response of `docs/contract.md#fields-token`; `expires_in` in seconds. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly refresh_token?: string;
  readonly expires_in: number;
  readonly scope: 'all';
  readonly jti: string;
}

/** The client and user of a new access token; a public token has neither user nor family. */
interface Bearer {
  readonly clientId: string;
  readonly userId: string | null;
  readonly familyId: string | null;
  readonly refreshHash: Buffer | null;
}

async function issueAccess(ctx: Context, tx: Transaction | undefined, bearer: Bearer): Promise<TokenResponse> {
  const token = randomToken();
  const jti = randomUUID();
  const lifetime = ctx.config.oauth.accessTokenSeconds;
  await ctx.db
    .model(AccessToken)
    .create(
      { tokenHash: tokenHash(token), jti, ...bearer, expiresAt: secondsFromNow(ctx, lifetime) },
      { transaction: tx },
    );
  return { access_token: token, token_type: 'bearer', expires_in: lifetime, scope: 'all', jti };
}

/** An access token for public paths. It has no refresh token. */
export function issuePublicTokens(ctx: Context, clientId: string): Promise<TokenResponse> {
  return issueAccess(ctx, undefined, { clientId, userId: null, familyId: null, refreshHash: null });
}

/**
 * Issues the tokens of a login, in a new token family. `passwordHash`: the hash with which the password was verified.
 * Resolves with undefined if it has changed since, or if the account is no longer active. Ends the oldest logins of a
 * user with more than the maximum.
 */
export function issueUserTokens(
  ctx: Context,
  login: { readonly clientId: string; readonly userId: string; readonly passwordHash: string },
): Promise<TokenResponse | undefined> {
  const { clientId, userId, passwordHash } = login;
  return ctx.db.transaction(async (tx) => {
    // With the shared lock, a concurrent password change or deactivation waits, and then also revokes these tokens.
    const where = { id: userId, state: 'ACTIVE', passwordHash } as const;
    if (!(await ctx.db.model(User).findOne({ where, attributes: ['id'], transaction: tx, lock: 'SHARE' })))
      return undefined;
    const familyId = randomUUID();
    const expiresAt = secondsFromNow(ctx, ctx.config.oauth.refreshTokenSeconds);
    await ctx.db
      .model(TokenFamily)
      .create({ id: familyId, userId, clientId, createdAt: ctx.clock.now(), expiresAt }, { transaction: tx });
    await removeOldestFamilies(ctx, tx, { userId, familyId });
    return issueInFamily(ctx, tx, { clientId, userId, familyId, parentHash: null });
  });
}

/**
 * Issues an access token and its refresh token; `parentHash`: hash of the refresh token that is exchanged for them. The
 * caller has locked or just inserted the family's row.
 */
export async function issueInFamily(
  ctx: Context,
  tx: Transaction,
  { parentHash, ...bearer }: Omit<Bearer, 'refreshHash'> & { familyId: string; parentHash: Buffer | null },
): Promise<TokenResponse> {
  const refreshToken = createRefreshToken(ctx.config, bearer.familyId);
  const refreshHash = tokenHash(refreshToken);
  const expiresAt = secondsFromNow(ctx, ctx.config.oauth.refreshTokenSeconds);
  await ctx.db
    .model(RefreshToken)
    .create({ tokenHash: refreshHash, familyId: bearer.familyId, parentHash, expiresAt }, { transaction: tx });
  await ctx.db.model(TokenFamily).update({ expiresAt }, { where: { id: bearer.familyId }, transaction: tx });
  const { jti, ...issued } = await issueAccess(ctx, tx, { ...bearer, refreshHash });
  await removeOldestTokens(ctx, tx, bearer.familyId, { accessToken: issued.access_token, refreshToken });
  return { ...issued, refresh_token: refreshToken, jti };
}

/** Revokes all tokens of a user, in the caller's transaction (`docs/contract.md#choices-tokens`). */
export async function revokeUserTokens(ctx: Context, tx: Transaction, userId: string): Promise<void> {
  await ctx.db.model(TokenFamily).destroy({ where: { userId }, transaction: tx });
  await ctx.db.model(AccessToken).destroy({ where: { userId }, transaction: tx });
  tx.afterCommit(() => dropCachedAccess(ctx, userId));
}

/** Revokes all tokens of one login, in the caller's transaction. */
export async function revokeFamily(
  ctx: Context,
  tx: Transaction,
  family: { readonly id: string; readonly userId: string },
): Promise<void> {
  await ctx.db.model(TokenFamily).destroy({ where: { id: family.id }, transaction: tx });
  tx.afterCommit(() => dropCachedAccess(ctx, family.userId));
}

function secondsFromNow(ctx: Context, seconds: number): Date {
  return new Date(ctx.clock.now().getTime() + seconds * 1000);
}
