import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { RowOf } from '../platform/database/model.js';
import { lease, leaseSeconds, type Claim } from '../platform/lease/index.js';
import { LiveRecording, type LiveEvent } from './live.model.js';
import { recordEvent } from './recording.jobs.js';

/*
 * All transitions of a recording, described in docs/decisions/live.md#recordings. Each is a conditional update. No
 * changed row means that another worker was first, or that the event was changed or deleted.
 */

const day = 24 * 60 * 60_000;
/** Retention of the segments of a recording that cannot be stored. */
const retentionMilliseconds = 7 * day;
/**
 * Maximum time after the event's end in which an open run stores the event's last segment. After this time, the run counts as
 * stuck.
 */
const latestSegmentMilliseconds = 10 * 60_000;
/** Backoff of a failed copy, multiplied by the attempt up to an hour; interval of attempts that wait for storage. */
const retryMinutes = 5;
/** A waiting recording is queued again after this time, in case its job was lost. */
const queuedAgainMilliseconds = 60_000;
const batchSize = 500;

/** SQL: end of the last segment of the row `run` of `live_runs`. Null: no segment. */
const lastSegmentEnd = `(SELECT segment.starts_at + segment.duration_microseconds * interval '1 microsecond'
                                           FROM live_segments segment WHERE segment.run_id = run.id
                                          ORDER BY segment.starts_at DESC LIMIT 1)`;

/** The columns of an event that its recording uses. */
export type RecordedEvent = Pick<
  LiveEvent,
  'id' | 'channelId' | 'ownerId' | 'name' | 'startsAt' | 'endsAt' | 'recorded'
>;

/**
 * Synchronizes an event's recording in the transaction that creates or changes the event: the row exists while the
 * event is recorded, with its title and times. New times restart the recording; if its box item exists, only if the new
 * end is in the future. If the event is no longer recorded, the row is deleted unless the box item exists.
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
            attempt = 0, keep_until = NULL, queued_at = NULL, ${lease.released}
      WHERE event_id = $id AND (starts_at, ends_at) IS DISTINCT FROM ($startsAt::timestamptz, $endsAt::timestamptz)
        AND (state <> 'INGESTED' OR $endsAt::timestamptz > $now)`,
    { id, startsAt, endsAt, now },
    tx,
  );
}

/**
 * Deletes an event's recording in the transaction that deletes the event. A copy in progress loses its lease and
 * deletes its stored data. A box item created from the recording stays.
 */
export async function removeRecording(ctx: Context, tx: Transaction, eventId: string): Promise<void> {
  await ctx.db.model(LiveRecording).destroy({ where: { eventId }, transaction: tx });
}

/**
 * Queues the recordings that can be copied: the event is over, and no run that began before its end can store another
 * segment of it. Also queues recordings whose worker has died, and due retries. A recording is queued at most one time
 * per minute. Resolves with the number of queued recordings.
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

/** A recording claimed by this worker. */
export interface ClaimedRecording extends RowOf<typeof LiveRecording> {
  readonly keepUntil: Date;
}

/** Claims the recording of an ended event for copying, unless another worker holds its lease. */
export async function claimRecording(
  ctx: Context,
  eventId: string,
  leaseOwner: string,
): Promise<Claim<ClaimedRecording>> {
  const now = ctx.clock.now();
  const [claimed] = await ctx.db.rows<ClaimedRecording>(
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
      keepUntil: new Date(now.getTime() + retentionMilliseconds),
      leaseSeconds: leaseSeconds(ctx),
    },
  );
  if (claimed) return { outcome: 'claimed', work: claimed };
  const present = await ctx.db.model(LiveRecording).findByPk(eventId);
  const until = present?.state === 'COPYING' ? present.leaseUntil : null;
  return until ? { outcome: 'heldElsewhere', until } : { outcome: 'nothing' };
}

/**
 * Stores the id of this attempt's upload before the upload exists, so that the next attempt can discard it. The caller
 * has discarded the previous attempt's upload. False: the lease is lost.
 */
export async function recordUploadId(
  ctx: Context,
  eventId: string,
  upload: { readonly leaseOwner: string; readonly uploadId: string },
): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE live_recordings SET upload_id = $uploadId WHERE event_id = $eventId AND ${lease.held}`,
    { eventId, ...upload },
  );
  return changed > 0;
}

/** False: the lease is lost, or the event was changed or deleted. */
export async function renewRecording(ctx: Context, eventId: string, leaseOwner: string): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE live_recordings SET ${lease.renewed} WHERE event_id = $eventId AND ${lease.held}`,
    { eventId, leaseOwner, leaseSeconds: leaseSeconds(ctx) },
  );
  return changed > 0;
}

/** COPYING to another state; releases the lease. False: the lease is lost. */
async function leave(
  ctx: Context,
  tx: Transaction,
  { eventId, leaseOwner }: ClaimedRecording,
  next: Pick<LiveRecording, 'state'> & Partial<Pick<LiveRecording, 'failureKey' | 'boxItemId'>>,
): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE live_recordings
        SET state = $state, failure_key = coalesce($failureKey, failure_key), box_item_id = $boxItemId, ${lease.released},
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

/** COPYING to INGESTED, in the transaction that creates the box item. False: the lease is lost. */
export function completeRecording(
  ctx: Context,
  tx: Transaction,
  recording: ClaimedRecording,
  boxItemId: string,
): Promise<boolean> {
  return leave(ctx, tx, recording, { state: 'INGESTED', boxItemId });
}

/** COPYING to WAITING after a temporary failure. `queueRecordings` queues the recording again. */
export async function releaseRecording(ctx: Context, recording: ClaimedRecording): Promise<void> {
  await ctx.db.transaction((tx) => leave(ctx, tx, recording, { state: 'WAITING' }));
}

/** COPYING to KEPT: a limit of the owner's license does not permit the recording. False: the lease is lost. */
export function keepRecording(
  ctx: Context,
  tx: Transaction,
  recording: ClaimedRecording,
  failureKey: string,
): Promise<boolean> {
  return leave(ctx, tx, recording, { state: 'KEPT', failureKey });
}

/** COPYING to EMPTY: nothing was published during the event. False: the lease is lost. */
export function emptyRecording(ctx: Context, tx: Transaction, recording: ClaimedRecording): Promise<boolean> {
  return leave(ctx, tx, recording, { state: 'EMPTY' });
}

/** COPYING to FAILED: not retried. False: the lease is lost. */
export function failRecording(
  ctx: Context,
  tx: Transaction,
  recording: ClaimedRecording,
  failureKey: string,
): Promise<boolean> {
  return leave(ctx, tx, recording, { state: 'FAILED', failureKey });
}
