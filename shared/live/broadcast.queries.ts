import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { EventTimes } from './eventTimes.js';

/**
 * Whether media was published on this channel inside these times: an event with them has been on air. Runs stay when
 * their segments are removed.
 */
export async function wasOnAir(
  ctx: Context,
  { channelId, startsAt, endsAt }: EventTimes & { readonly channelId: string },
  tx?: Transaction,
): Promise<boolean> {
  const now = ctx.clock.now();
  if (startsAt > now) return false;
  const rows = await ctx.db.rows(
    `SELECT 1 FROM live_runs
      WHERE stream_id = $channelId AND discontinuity IS NOT NULL
        AND opened_at < $endsAt AND coalesce(ended_at, $now) > $startsAt
      LIMIT 1`,
    { channelId, startsAt, endsAt, now },
    tx,
  );
  return rows.length > 0;
}
