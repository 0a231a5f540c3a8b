import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { EventTimes } from './eventTimes.js';

/**
 * SQL: segments of the run were stored, and may have been removed; or an external server, which serves viewers itself,
 * reported the run: this service has no media of it.
 */
const hadMedia = "(discontinuity IS NOT NULL OR source = 'REPORTED')";

/**
 * Whether media was published on the channel between the times of an event, so that the event has been on air. Rows of
 * runs stay after their segments are removed.
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
 * The events that are over and were never on air, so that their buyers could not watch them
 * (`docs/decisions/money.md#live-events`). Deleted events are not included.
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
