import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { LiveEvent } from './live.model.js';

/*
 * Every transition of a recording. Each is a conditional update. No changed row means that another worker was first, or
 * that the event was changed or deleted meanwhile. What a recording is: docs/decisions/live.md.
 */

/** What a recording takes from its event. */
export type RecordedEvent = Pick<
  LiveEvent,
  'id' | 'channelId' | 'ownerId' | 'name' | 'startsAt' | 'endsAt' | 'recorded'
>;

/**
 * Keeps the recording of an event as the event says, in the transaction that creates or changes it: a row while it is
 * recorded, with its title and times. An event with other times is recorded anew; where a box item was made of it before,
 * only if the new end is not past. An event that is no longer recorded has no recording, unless the box item exists already.
 */
export async function syncRecording(ctx: Context, tx: Transaction, event: RecordedEvent): Promise<void> {
  const { id, channelId, ownerId, name, startsAt, endsAt } = event;
  const now = ctx.clock.now();
  if (!event.recorded) {
    await ctx.db.change(`DELETE FROM live_recordings WHERE event_id = $id AND state <> 'INGESTED'`, { id }, tx);
    return;
  }
  await ctx.db.change(
    `INSERT INTO live_recordings (event_id, stream_id, owner_id, title, starts_at, ends_at, state, created_at, updated_at)
     VALUES ($id, $channelId, $ownerId, $name, $startsAt, $endsAt, 'WAITING', $now, $now)
     ON CONFLICT (event_id) DO UPDATE SET title = excluded.title, updated_at = excluded.updated_at`,
    { id, channelId, ownerId, name, startsAt, endsAt, now },
    tx,
  );
  await ctx.db.change(
    `UPDATE live_recordings
        SET starts_at = $startsAt, ends_at = $endsAt, state = 'WAITING', failure_key = NULL, box_item_id = NULL,
            attempt = 0, keep_until = NULL, lease_owner = NULL, lease_until = NULL
      WHERE event_id = $id AND (starts_at, ends_at) IS DISTINCT FROM ($startsAt::timestamptz, $endsAt::timestamptz)
        AND (state <> 'INGESTED' OR $endsAt::timestamptz > $now)`,
    { id, startsAt, endsAt, now },
    tx,
  );
}

/**
 * Removes the recording of an event, in the transaction that deletes the event. A copy in progress loses its lease and
 * removes what it has stored. A box item that was made of it stays.
 */
export async function removeRecording(ctx: Context, tx: Transaction, eventId: string): Promise<void> {
  await ctx.db.change('DELETE FROM live_recordings WHERE event_id = $eventId', { eventId }, tx);
}
