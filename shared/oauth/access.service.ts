import type { Context } from '../platform/context.js';
import { tokenHash } from '../platform/security/tokens.js';
import { OAuthError } from './oauth.errors.js';
import { rememberedAccess, rememberAccess, type Access } from './accessCache.js';

export type { Access } from './accessCache.js';

interface AccessRow {
  readonly clientId: string;
  readonly userId: string | null;
  readonly userCode: string | null;
  readonly state: string | null;
  readonly lastActivityAt: Date | null;
  readonly expiresAt: Date;
}

/** The date of last activity is true to this, and costs a write no oftener. */
const activityGrainMs = 3_600_000;
const longestToken = 512;

/**
 * Who an access token stands for: one indexed read, joined with the state of the account.
 * Throws OAuthError `invalid_token` where it is expired, revoked, or never was one.
 */
export async function findAccess(ctx: Context, token: string): Promise<Access> {
  if (token.length > longestToken) throw new OAuthError('invalid_token', 'Invalid access token');
  const hash = tokenHash(token);
  const access = rememberedAccess(ctx, hash) ?? (await readAccess(ctx, hash));
  if (access.expiresAt <= ctx.clock.now()) throw new OAuthError('invalid_token', 'Access token expired');
  return access;
}

async function readAccess(ctx: Context, hash: Buffer): Promise<Access> {
  const [row] = await ctx.db.rows<AccessRow>(
    `SELECT a.client_id, a.user_id, a.expires_at, u.user_code, u.state, u.last_activity_at
       FROM access_tokens a LEFT JOIN users u ON u.id = a.user_id
      WHERE a.token_hash = $hash`,
    { hash },
  );
  if (!row || (row.userId !== null && row.state !== 'ACTIVE'))
    throw new OAuthError('invalid_token', 'Invalid access token');
  const access: Access = {
    clientId: row.clientId,
    userId: row.userId,
    userCode: row.userCode,
    expiresAt: row.expiresAt,
  };
  rememberAccess(ctx, hash, access);
  if (row.userId !== null && row.lastActivityAt !== null) await touch(ctx, row.userId, row.lastActivityAt);
  return access;
}

/**
 * Notes that the user is there; at most once an hour, so that reads stay reads. Of many requests at the same moment one
 * writes. User search sorts by it.
 */
async function touch(ctx: Context, userId: string, lastActivityAt: Date): Promise<void> {
  const now = ctx.clock.now();
  const before = new Date(now.getTime() - activityGrainMs);
  if (lastActivityAt > before) return;
  await ctx.db.transaction(async (tx) => {
    const touched = await ctx.db.change(
      'UPDATE users SET last_activity_at = $now WHERE id = $userId AND last_activity_at <= $before',
      { userId, now, before },
      tx,
    );
    if (touched > 0) await ctx.search.markDirty(tx, 'userActivity', userId);
  });
}
