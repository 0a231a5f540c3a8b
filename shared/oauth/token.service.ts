import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { randomToken, tokenHash } from '../platform/security/tokens.js';
import { dropMailTokens } from '../user/mailToken.service.js';
import { forgetUser } from './accessCache.js';

/** Token response of `docs/contract.md#fields-token`. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly refresh_token?: string;
  readonly expires_in: number;
  readonly scope: 'all';
  readonly jti: string;
}

/** What an access token is issued for. */
interface Bearer {
  readonly clientId: string;
  readonly userId: string | null;
  readonly familyId: string | null;
}

async function issueAccess(ctx: Context, tx: Transaction | undefined, bearer: Bearer): Promise<TokenResponse> {
  const token = randomToken();
  const jti = randomUUID();
  const lifetime = ctx.config.oauth.accessTokenSeconds;
  await ctx.db.change(
    `INSERT INTO access_tokens (token_hash, jti, client_id, user_id, family_id, expires_at)
     VALUES ($hash, $jti, $clientId, $userId, $familyId, $expiresAt)`,
    { hash: tokenHash(token), jti, ...bearer, expiresAt: secondsFromNow(ctx, lifetime) },
    tx,
  );
  return { access_token: token, token_type: 'bearer', expires_in: lifetime, scope: 'all', jti };
}

/** A token for public paths; it has no refresh token. */
export function issuePublicTokens(ctx: Context, clientId: string): Promise<TokenResponse> {
  return issueAccess(ctx, undefined, { clientId, userId: null, familyId: null });
}

/**
 * The first tokens of a login: they found a family. `passwordHash` is the one the login was checked against:
 * where it has changed since, or the account may not log in any more, there are none.
 */
export function issueUserTokens(
  ctx: Context,
  login: { readonly clientId: string; readonly userId: string; readonly passwordHash: string },
): Promise<TokenResponse | undefined> {
  const { clientId, userId, passwordHash } = login;
  return ctx.db.transaction(async (tx) => {
    // The shared lock makes a password change or a disable wait, and then revoke what is issued here.
    const stillRight = await ctx.db.rows(
      "SELECT id FROM users WHERE id = $userId AND state = 'ACTIVE' AND password_hash = $passwordHash FOR SHARE",
      { userId, passwordHash },
      tx,
    );
    if (stillRight.length === 0) return undefined;
    const familyId = randomUUID();
    await ctx.db.change(
      'INSERT INTO token_families (id, user_id, created_at, expires_at) VALUES ($familyId, $userId, $now, $expiresAt)',
      { familyId, userId, now: ctx.clock.now(), expiresAt: secondsFromNow(ctx, ctx.config.oauth.refreshTokenSeconds) },
      tx,
    );
    return issueInFamily(ctx, tx, { clientId, userId, familyId });
  });
}

/** An access token and its refresh token. The caller holds the family's row, or has just made it. */
export async function issueInFamily(
  ctx: Context,
  tx: Transaction,
  bearer: { readonly clientId: string; readonly userId: string; readonly familyId: string },
): Promise<TokenResponse> {
  const refreshToken = randomToken();
  const expiresAt = secondsFromNow(ctx, ctx.config.oauth.refreshTokenSeconds);
  await ctx.db.change(
    'INSERT INTO refresh_tokens (token_hash, family_id, expires_at) VALUES ($hash, $familyId, $expiresAt)',
    { hash: tokenHash(refreshToken), familyId: bearer.familyId, expiresAt },
    tx,
  );
  await ctx.db.change(
    'UPDATE token_families SET expires_at = $expiresAt WHERE id = $familyId',
    { familyId: bearer.familyId, expiresAt },
    tx,
  );
  const { jti, ...issued } = await issueAccess(ctx, tx, bearer);
  return { ...issued, refresh_token: refreshToken, jti };
}

/**
 * Ends every token of a user with the caller's transaction (`docs/contract.md#choices-tokens`), and the links that were mailed to renew
 * the password: they belong to the time before.
 */
export async function revokeUserTokens(ctx: Context, tx: Transaction, userId: string): Promise<void> {
  await ctx.db.change('DELETE FROM token_families WHERE user_id = $userId', { userId }, tx);
  await ctx.db.change('DELETE FROM access_tokens WHERE user_id = $userId', { userId }, tx);
  await dropMailTokens(ctx, tx, userId, 'RENEWAL');
  tx.afterCommit(() => forgetUser(ctx, userId));
}

/** Ends one login with everything that came of it. */
export async function revokeFamily(
  ctx: Context,
  tx: Transaction,
  family: { readonly id: string; readonly userId: string },
): Promise<void> {
  await ctx.db.change('DELETE FROM token_families WHERE id = $id', { id: family.id }, tx);
  tx.afterCommit(() => forgetUser(ctx, family.userId));
}

function secondsFromNow(ctx: Context, seconds: number): Date {
  return new Date(ctx.clock.now().getTime() + seconds * 1000);
}
