import type { Context } from '../platform/context.js';

/** Encoders connect before the event: the next one counts from this long before its start. */
const leadSeconds = 10 * 60;

/**
 * Whether what an encoder publishes now to this channel is to be recorded: the choice of the event that is on now, or
 * else of the one that starts within ten minutes. Without either false: outside of events nothing is recorded
 * (`docs/contract.md#choices-live`).
 */
export async function isToBeRecorded(ctx: Context, channelId: string): Promise<boolean> {
  const now = ctx.clock.now();
  const [event] = await ctx.db.rows<{ recorded: boolean }>(
    `SELECT recorded FROM live_events
      WHERE channel_id = $channelId AND ends_at > $now::timestamptz AND starts_at <= $soon::timestamptz
      ORDER BY starts_at LIMIT 1`,
    { channelId, now, soon: new Date(now.getTime() + leadSeconds * 1000) },
  );
  return event?.recorded ?? false;
}
