import type { Context } from '../platform/context.js';
import { liveVisibility } from './live.visibility.js';

/**
 * The event on a channel's page: the current event, else the next, else the latest. Unlisted events only between start
 * and end, because the channel plays them then. Null: no event.
 */
export async function shownEventOf(ctx: Context, channelId: string): Promise<string | null> {
  const [shown] = await ctx.db.rows<{ id: string }>(
    `SELECT event.id FROM live_events event JOIN users owner ON owner.id = event.owner_id
      WHERE event.channel_id = $channelId AND ${liveVisibility.byId}
        AND (event.public OR (event.starts_at <= $now AND event.ends_at > $now))
      ORDER BY event.ends_at <= $now,
               CASE WHEN event.ends_at > $now THEN event.starts_at END, event.ends_at DESC
      LIMIT 1`,
    { channelId, now: ctx.clock.now() },
  );
  return shown?.id ?? null;
}
