import type { Context } from '../platform/context.js';
import { tokenHash } from '../platform/security/tokens.js';
import { recordActivity } from '../user/activity.service.js';
import { OAuthError } from './oauth.errors.js';
import { cachedAccess, cacheAccess, type VerifiedAccess } from './accessCache.js';

export type { VerifiedAccess } from './accessCache.js';

interface AccessRow {
  readonly clientId: string;
  readonly userId: string | null;
  readonly userCode: string | null;
  readonly state: string | null;
  readonly lastActivityAt: Date | null;
  readonly expiresAt: Date;
}

/** Longer tokens are rejected before they are hashed. */
const maxTokenLength = 512;

/**
 * The client and user of an access token, from the cache or with one indexed read joined with the account's state.
 * Throws OAuthError `invalid_token` if the token is expired, revoked or unknown.
 */
export async function findAccess(ctx: Context, token: string): Promise<VerifiedAccess> {
  if (token.length > maxTokenLength) throw new OAuthError('invalid_token', 'Invalid access token');
  const hash = tokenHash(token);
  const access = cachedAccess(ctx, hash) ?? (await readAccess(ctx, hash));
  if (access.expiresAt <= ctx.clock.now()) throw new OAuthError('invalid_token', 'Access token expired');
  return access;
}

async function readAccess(ctx: Context, hash: Buffer): Promise<VerifiedAccess> {
  const [row] = await ctx.db.prepared<AccessRow>(
    `SELECT a.client_id, a.user_id, a.expires_at, u.user_code, u.state, u.last_activity_at
       FROM access_tokens a LEFT JOIN users u ON u.id = a.user_id
      WHERE a.token_hash = $hash`,
    { hash },
  );
  if (!row || (row.userId !== null && row.state !== 'ACTIVE'))
    throw new OAuthError('invalid_token', 'Invalid access token');
  const access: VerifiedAccess = {
    clientId: row.clientId,
    userId: row.userId,
    userCode: row.userCode,
    expiresAt: row.expiresAt,
  };
  cacheAccess(ctx, hash, access);
  if (row.userId !== null && row.lastActivityAt !== null) await recordActivity(ctx, row.userId, row.lastActivityAt);
  return access;
}
