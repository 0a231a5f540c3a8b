import type { Context } from '../platform/context.js';

/** Encoders connect before the event: its setting applies from this long before its start. */
const leadSeconds = 10 * 60;

/**
 * Whether a publication to this channel is recorded now: the setting of the current event, else of an event that starts
 * within ten minutes. Media outside of events is not recorded (`docs/contract.md#choices-live`).
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
