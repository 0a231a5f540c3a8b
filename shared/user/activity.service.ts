import type { Context } from '../platform/context.js';

/** Precision of the last activity: a user's requests cost at most one write an hour. */
const activityPrecisionMs = 3_600_000;

/**
 * Records that a user was active now, if `lastActivityAt` is an hour old. Of many concurrent requests, one writes. The user search
 * sorts by this date.
 */
export async function recordActivity(ctx: Context, userId: string, lastActivityAt: Date): Promise<void> {
  const now = ctx.clock.now();
  const before = new Date(now.getTime() - activityPrecisionMs);
  if (lastActivityAt > before) return;
  await ctx.db.transaction(async (tx) => {
    const recorded = await ctx.db.change(
      'UPDATE users SET last_activity_at = $now WHERE id = $userId AND last_activity_at <= $before',
      { userId, now, before },
      tx,
    );
    if (recorded > 0) await ctx.search.markDirty(tx, 'userActivity', userId);
  });
}
