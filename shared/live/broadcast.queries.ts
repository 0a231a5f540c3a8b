import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { EventTimes } from './eventTimes.js';

/**
 * SQL: segments of a run were stored, which may have been removed since; or an external server that faces the viewers has
 * reported it, whose media this service does not have.
 */
const hadMedia = "(discontinuity IS NOT NULL OR source = 'REPORTED')";

/**
 * Whether media was published on this channel inside these times: an event with them has been on air. Runs stay when
 * their segments are removed.
 */
export async function wasOnAir(
  ctx: Context,
  { channelId, startsAt, endsAt }: EventTimes & { readonly channelId: string },
  tx?: Transaction,
): Promise<boolean> {
  const rows = await ctx.db.rows(
    `SELECT 1 FROM live_runs
      WHERE stream_id = $channelId AND ${hadMedia} AND opened_at < $endsAt AND coalesce(ended_at, $now) > $startsAt
      LIMIT 1`,
    { channelId, startsAt, endsAt, now: ctx.clock.now() },
    tx,
  );
  return rows.length > 0;
}

/**
 * Those of these events that are over and were never on air, so that their buyers have seen nothing
 * (`docs/decisions/money.md#live-events`). A deleted event is not among them.
 */
export async function eventsNeverOnAir(ctx: Context, eventIds: readonly string[]): Promise<Set<string>> {
  if (eventIds.length === 0) return new Set();
  const rows = await ctx.db.rows<{ id: string }>(
    `SELECT event.id FROM live_events event
      WHERE event.id = ANY ($eventIds::uuid[]) AND event.ends_at <= $now
        AND NOT EXISTS (SELECT 1 FROM live_runs
                         WHERE stream_id = event.channel_id AND ${hadMedia}
                           AND opened_at < event.ends_at AND coalesce(ended_at, $now) > event.starts_at)`,
    { eventIds, now: ctx.clock.now() },
  );
  return new Set(rows.map(({ id }) => id));
}
