import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { RowOf } from '../platform/database/model.js';
import { lease, leaseSeconds, type Claim } from '../platform/lease/index.js';
import { LiveRecording, type LiveEvent } from './live.model.js';
import { recordEvent } from './recording.jobs.js';

/*
 * Every transition of a recording. Each is a conditional update. No changed row means that another worker was first, or
 * that the event was changed or deleted meanwhile. What a recording is: docs/decisions/live.md#recordings.
 */

const day = 24 * 60 * 60_000;
/** The segments of a recording that cannot be stored are kept for this long. */
const keptMilliseconds = 7 * day;
/** A run that is open at the end of the event has stored the last segment of it after this, or is stuck. */
const latestSegmentMilliseconds = 10 * 60_000;
/** A failed copy is tried again after this, longer with each attempt, up to an hour. One that waits for storage, always after this. */
const retryMinutes = 5;
/** A recording that waits for a worker is queued again after this, in case its job was lost. */
const queuedAgainMilliseconds = 60_000;
const batchSize = 500;

/** SQL: the end of the last segment of a row `run` of `live_runs`. Null: it has none. */
const lastSegmentEnd = `(SELECT segment.starts_at + segment.duration_microseconds * interval '1 microsecond'
                                           FROM live_segments segment WHERE segment.run_id = run.id
                                          ORDER BY segment.starts_at DESC LIMIT 1)`;

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
            attempt = 0, keep_until = NULL, queued_at = NULL, ${lease.returned}
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
  await ctx.db.model(LiveRecording).destroy({ where: { eventId }, transaction: tx });
}

/**
 * Queues the recordings that can be copied: the event is over, and no run that began before its end can still store a
 * segment of it; also those whose worker has died, and those whose time to try again has come. None is queued twice within a
 * minute. Resolves with their number.
 */
export async function queueRecordings(ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const rows = await ctx.db.rows<{ eventId: string }>(
      `UPDATE live_recordings SET queued_at = $now WHERE event_id IN (
         SELECT event_id FROM live_recordings recording
          WHERE state IN ('WAITING', 'COPYING', 'KEPT') AND ends_at <= $now
            AND (queued_at IS NULL OR queued_at < $queuedBefore) AND ${lease.free}
            AND (state = 'COPYING'
                 OR (state = 'KEPT' AND updated_at < $now::timestamptz - make_interval(mins => $retryMinutes))
                 OR (state = 'WAITING' AND attempt > 0
                     AND updated_at < $now::timestamptz - make_interval(mins => $retryMinutes * least(attempt, 12)))
                 OR (state = 'WAITING' AND attempt = 0 AND (ends_at <= $settledAt OR NOT EXISTS (
                       SELECT 1 FROM live_runs run
                        WHERE run.stream_id = recording.stream_id AND run.state = 'OPEN' AND run.opened_at < recording.ends_at
                          AND coalesce(${lastSegmentEnd} < recording.ends_at, true)))))
          ORDER BY updated_at LIMIT $batchSize FOR UPDATE SKIP LOCKED)
        RETURNING event_id`,
      {
        now,
        queuedBefore: new Date(now.getTime() - queuedAgainMilliseconds),
        settledAt: new Date(now.getTime() - latestSegmentMilliseconds),
        retryMinutes,
        batchSize,
      },
      tx,
    );
    await ctx.outbox.addMany(
      tx,
      recordEvent,
      rows.map((payload) => ({ payload })),
    );
    return rows.length;
  });
}

/** A recording that this worker copies. */
export interface ClaimedRecording extends RowOf<typeof LiveRecording> {
  readonly keepUntil: Date;
}

/** Takes the lease for copying the recording of an event that is over, unless another worker holds it. */
export async function claimRecording(
  ctx: Context,
  eventId: string,
  leaseOwner: string,
): Promise<Claim<ClaimedRecording>> {
  const now = ctx.clock.now();
  const [mine] = await ctx.db.rows<ClaimedRecording>(
    `UPDATE live_recordings recording
        SET state = 'COPYING', attempt = recording.attempt + 1, queued_at = NULL, ${lease.taken},
            keep_until = coalesce(recording.keep_until, $keepUntil), updated_at = $now
      WHERE recording.event_id = $eventId AND recording.state IN ('WAITING', 'COPYING', 'KEPT')
        AND recording.ends_at <= $now AND ${lease.free}
      RETURNING recording.*`,
    {
      eventId,
      leaseOwner,
      now,
      keepUntil: new Date(now.getTime() + keptMilliseconds),
      leaseSeconds: leaseSeconds(ctx),
    },
  );
  if (mine) return { outcome: 'mine', work: mine };
  const present = await ctx.db.model(LiveRecording).findByPk(eventId);
  const until = present?.state === 'COPYING' ? present.leaseUntil : null;
  return until ? { outcome: 'taken', until } : { outcome: 'nothing' };
}

/**
 * Writes down the upload of this attempt, before it exists: the next attempt discards it. The caller has discarded that of
 * the attempt before. False where the lease has been lost.
 */
export async function noteUpload(
  ctx: Context,
  eventId: string,
  given: { readonly leaseOwner: string; readonly uploadId: string },
): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE live_recordings SET upload_id = $uploadId WHERE event_id = $eventId AND ${lease.held}`,
    { eventId, ...given },
  );
  return changed > 0;
}

/** False where the lease has been lost, or the event was changed or deleted. */
export async function renewRecording(ctx: Context, eventId: string, leaseOwner: string): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE live_recordings SET ${lease.renewed} WHERE event_id = $eventId AND ${lease.held}`,
    { eventId, leaseOwner, leaseSeconds: leaseSeconds(ctx) },
  );
  return changed > 0;
}

/** COPYING to another state, which ends the lease. False where the lease has been lost. */
async function leave(
  ctx: Context,
  tx: Transaction,
  { eventId, leaseOwner }: ClaimedRecording,
  next: Pick<LiveRecording, 'state'> & Partial<Pick<LiveRecording, 'failureKey' | 'boxItemId'>>,
): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE live_recordings
        SET state = $state, failure_key = coalesce($failureKey, failure_key), box_item_id = $boxItemId, ${lease.returned},
            updated_at = $now
      WHERE event_id = $eventId AND ${lease.held} AND state = 'COPYING'`,
    {
      eventId,
      leaseOwner,
      state: next.state,
      failureKey: next.failureKey ?? null,
      boxItemId: next.boxItemId ?? null,
      now: ctx.clock.now(),
    },
    tx,
  );
  return changed > 0;
}

/** The box item exists, in the same transaction. False where the lease has been lost. */
export function completeRecording(
  ctx: Context,
  tx: Transaction,
  recording: ClaimedRecording,
  boxItemId: string,
): Promise<boolean> {
  return leave(ctx, tx, recording, { state: 'INGESTED', boxItemId });
}

/** A copy has failed for a reason that may pass. `queueRecordings` queues it again. */
export async function releaseRecording(ctx: Context, recording: ClaimedRecording): Promise<void> {
  await ctx.db.transaction((tx) => leave(ctx, tx, recording, { state: 'WAITING' }));
}

/** A limit of the owner's license does not permit it. False where the lease has been lost. */
export function keepRecording(
  ctx: Context,
  tx: Transaction,
  recording: ClaimedRecording,
  failureKey: string,
): Promise<boolean> {
  return leave(ctx, tx, recording, { state: 'KEPT', failureKey });
}

/** Nothing was published while the event lasted. False where the lease has been lost. */
export function emptyRecording(ctx: Context, tx: Transaction, recording: ClaimedRecording): Promise<boolean> {
  return leave(ctx, tx, recording, { state: 'EMPTY' });
}

/** Given up. False where the lease has been lost. */
export function failRecording(
  ctx: Context,
  tx: Transaction,
  recording: ClaimedRecording,
  failureKey: string,
): Promise<boolean> {
  return leave(ctx, tx, recording, { state: 'FAILED', failureKey });
}
