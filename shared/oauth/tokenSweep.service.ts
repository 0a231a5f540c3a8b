import type { Context } from '../platform/context.js';
import { deleteInBatches } from '../platform/database/deleteInBatches.js';
import { sweepAccounts } from '../user/accountSweep.service.js';
import { sweepPublicTokens } from './tokenBounds.js';
import { rememberedDays } from './loginNetworks.js';

/** Retention of expired tokens, so that the response to their use is "expired" and not "invalid". */
const expiredRetentionMs = 86_400_000;

/**
 * Deletes expired tokens, token families, login networks and mail tokens, and accounts that were never activated.
 * Resolves with the number of deleted rows.
 */
export async function sweepExpired(ctx: Context, signal: AbortSignal): Promise<number> {
  const now = ctx.clock.now();
  const retainedSince = new Date(now.getTime() - expiredRetentionMs);
  const statements: readonly (readonly [string, Date])[] = [
    [
      'DELETE FROM access_tokens WHERE token_hash IN (SELECT token_hash FROM access_tokens WHERE expires_at < $before LIMIT $batchRows)',
      retainedSince,
    ],
    [
      'DELETE FROM refresh_tokens WHERE token_hash IN (SELECT token_hash FROM refresh_tokens WHERE expires_at < $before LIMIT $batchRows)',
      retainedSince,
    ],
    [
      'DELETE FROM token_families WHERE id IN (SELECT id FROM token_families WHERE expires_at < $before LIMIT $batchRows)',
      retainedSince,
    ],
    [
      'DELETE FROM login_networks WHERE (user_id, network) IN (SELECT user_id, network FROM login_networks WHERE last_login_at < $before LIMIT $batchRows)',
      new Date(now.getTime() - rememberedDays * 86_400_000),
    ],
  ];
  let deleted = 0;
  for (const [statement, before] of statements) deleted += await deleteInBatches(ctx, statement, { before }, signal);
  deleted += await sweepPublicTokens(ctx, signal);
  return deleted + (await sweepAccounts(ctx, signal));
}
