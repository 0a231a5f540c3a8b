import { randomUUID } from 'node:crypto';
import { streamingAllowanceOf } from '../license/streamingHours.service.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { databaseNow, databaseTimeOfPast } from '../platform/database/databaseTime.js';
import { lease } from '../platform/lease/index.js';
import type { LiveRendition } from './liveRendition.js';
import { countedColumns, countSeconds, uncountedSeconds, type CountedRun } from './runSeconds.service.js';
import { forgetRefusedEncoder } from './refusedEncoder.service.js';
import { LiveRun } from './streaming.model.js';
import { lockOwnStream, lockStreamOfRun, recordStart, sessionOfNewRun } from './liveSession.lifecycle.js';

/*
 * Every transition of a run, by the time of the database: OFFERED, OPEN under a lease, ENDED (`offeredRun.lifecycle.ts` and `reportedRun.lifecycle.ts` have
 * those of external servers). A run belongs to the holder of its lease alone: a process that has lost it changes nothing and
 * stores no segment.
 */

/** A run is renewed with each of its segments, and three seconds after the last one. */
const runLeaseSeconds = 10;
/** Of a run that is pulled: another process can go on with it, so that a dead one is noticed sooner. */
export const pullLeaseSeconds = 6;
/** SQL: the end of the lease of a row of `live_runs` that is renewed now. */
export const renewedRunLease = lease.endAfter(
  `CASE source WHEN 'PULL' THEN ${pullLeaseSeconds} ELSE ${runLeaseSeconds} END`,
);
/** Streaming time is written this often. */
const countedEverySeconds = 60;

export interface OpenedRun {
  readonly runId: string;
  readonly sessionId: string;
  /** The files of the session: `live/<folder>/`. */
  readonly folder: string;
}

export interface RunClaim {
  readonly runId: string;
  /** Chosen by the process for each run. */
  readonly leaseOwner: string;
}

/** SQL: the run is open, and the caller holds it. */
export const isHeld = `id = $runId AND state = 'OPEN' AND ${lease.held}`;

/** Another encoder has begun to publish meanwhile. */
export class OtherPublisherError extends Error {
  override readonly name = 'OtherPublisherError';
}

/**
 * Opens the run of an encoder that is connected to this process. The run that it replaces ends. Throws OtherPublisherError where
 * another run is active, and NotFoundError where the stream is deleted, or of another owner.
 */
export async function openRun(
  ctx: Context,
  run: {
    readonly streamId: string;
    readonly ownerId: string;
    readonly source: 'RTMP';
    readonly leaseOwner: string;
    readonly clientAddress: string | null;
    /** Of this process; `live_runs.parts_url`. */
    readonly partsUrl?: string | null;
    /** The run whose encoder is silent (`awaitSilence`); null: none was active. Without it any active run is replaced. */
    readonly replacedRunId?: string | null;
  },
): Promise<OpenedRun> {
  const { replacedRunId, ...opened } = run;
  return ctx.db.transaction(async (tx) => {
    await lockOwnStream(ctx, tx, run);
    if (replacedRunId !== undefined) await assertNoOther(ctx, tx, run.streamId, replacedRunId);
    await endActiveRun(ctx, tx, run.streamId, 'taken over');
    const session = await sessionOfNewRun(ctx, tx, run.streamId);
    const { id: sessionId, folder } = session;
    const runId = randomUUID();
    await ctx.db.change(
      `INSERT INTO live_runs (id, session_id, stream_id, owner_id, source, client_address, state, lease_owner, lease_until,
                              parts_url, offered_at, opened_at)
       VALUES ($runId, $sessionId, $streamId, $ownerId, $source, $clientAddress, 'OPEN', $leaseOwner, ${lease.end}, $partsUrl, $now, $now)`,
      { partsUrl: null, ...opened, runId, sessionId, leaseSeconds: runLeaseSeconds, now: await databaseNow(ctx, tx) },
      tx,
    );
    await recordStart(ctx, tx, run.streamId, session);
    await forgetRefusedEncoder(ctx, tx, run.streamId);
    return { runId, sessionId, folder };
  });
}

/** The caller holds the lock of the stream. */
async function assertNoOther(
  ctx: Context,
  tx: Transaction,
  streamId: string,
  replacedRunId: string | null,
): Promise<void> {
  const other = await ctx.db.rows(
    `SELECT 1 FROM live_runs
      WHERE stream_id = $streamId AND state IN ('OFFERED', 'OPEN') AND id IS DISTINCT FROM $replacedRunId::uuid`,
    { streamId, replacedRunId },
    tx,
  );
  if (other.length > 0) throw new OtherPublisherError(`another run of stream ${streamId} is active`);
}

/** The encoder has disconnected; the process that holds the run still stores its last segments. Another encoder need not wait. */
export async function markEncoderLeft(ctx: Context, run: RunClaim): Promise<void> {
  await ctx.db.change(`UPDATE live_runs SET encoder_left_at = $now WHERE ${isHeld}`, {
    ...run,
    now: await databaseNow(ctx),
  });
}

/** What has arrived of a run. */
export interface RunProgress extends RunClaim {
  /** By the clock of this machine; null before the first media. */
  readonly lastMediaAt: Date | null;
  readonly receivedBytes: number;
}

/**
 * Renews the leases of runs, and writes what has arrived of them, in one statement. Resolves with the ids of those that go on. The others
 * are lost: taken over, deleted, ended by a hook or a sweep, or the owner has no streaming hours left.
 */
export async function renewRuns(ctx: Context, runs: readonly RunProgress[]): Promise<ReadonlySet<string>> {
  const lastMedia: (Date | null)[] = [];
  for (const { lastMediaAt } of runs) lastMedia.push(lastMediaAt && (await databaseTimeOfPast(ctx, lastMediaAt)));
  const rows = await ctx.db.rows<CountedRun>(
    `UPDATE live_runs
        SET lease_until = ${renewedRunLease}, last_media_at = greatest(last_media_at, renewed.media_at),
            received_bytes = greatest(received_bytes, renewed.bytes)
       FROM unnest($runIds::uuid[], $leaseOwners::text[], $lastMedia::timestamptz[], $receivedBytes::bigint[])
              AS renewed (run_id, owner, media_at, bytes)
      WHERE id = renewed.run_id AND state = 'OPEN' AND lease_owner = renewed.owner RETURNING ${countedColumns}`,
    {
      runIds: runs.map(({ runId }) => runId),
      leaseOwners: runs.map(({ leaseOwner }) => leaseOwner),
      lastMedia,
      receivedBytes: runs.map(({ receivedBytes }) => receivedBytes),
    },
  );
  const until = await databaseNow(ctx);
  const owners = new Map(runs.map(({ runId, leaseOwner }) => [runId, leaseOwner]));
  return countOpenRuns(
    ctx,
    rows.map((row) => ({ ...row, leaseOwner: owners.get(row.id) ?? null, until })),
  );
}

/** An open run, and until when its time is counted. */
interface OpenRun extends CountedRun {
  /** The process that holds it; null: no process does. */
  readonly leaseOwner: string | null;
  readonly until: Date;
}

/**
 * Counts the time of open runs, of each about once a minute, and ends those whose owner has no streaming hours left. Resolves with
 * the ids of the others. A statement counts all runs of an owner. Nobody waits for another owner.
 */
export async function countOpenRuns(ctx: Context, runs: readonly OpenRun[]): Promise<ReadonlySet<string>> {
  const goOn = new Set(runs.map(({ id }) => id));
  const due = runs.filter((run) => uncountedSeconds(run, run.until) >= countedEverySeconds);
  for (const ownerId of new Set(due.map((run) => run.ownerId))) {
    const ofOwner = due.filter((run) => run.ownerId === ownerId);
    await countSeconds(ctx, ownerId, ofOwner);
    if ((await streamingAllowanceOf(ctx, ownerId)) === 'WITHIN') continue;
    for (const { id, leaseOwner } of ofOwner) {
      await endRun(ctx, { runId: id, leaseOwner, reason: 'streaming hours used up' });
      goOn.delete(id);
    }
  }
  return goOn;
}

/** Writes which renditions the run has, highest first. False where the run is lost. */
export async function setRunMedia(
  ctx: Context,
  run: RunClaim & { readonly renditions: readonly LiveRendition[] },
): Promise<boolean> {
  const { runId, leaseOwner } = run;
  const changed = await ctx.db.change(
    `UPDATE live_runs SET renditions = $renditions::jsonb, last_media_at = greatest(last_media_at, $now) WHERE ${isHeld}`,
    { runId, leaseOwner, renditions: JSON.stringify(run.renditions), now: await databaseNow(ctx) },
  );
  return changed > 0;
}

/** Ends a run, now or at `endedAt`; with `leaseOwner` only where that process still holds it. Idempotent. */
export async function endRun(
  ctx: Context,
  run: {
    readonly runId: string;
    readonly leaseOwner?: string | null;
    readonly reason: string;
    readonly endedAt?: Date;
  },
): Promise<void> {
  const { runId, leaseOwner = null, reason, endedAt = await databaseNow(ctx) } = run;
  await ctx.db.transaction(async (tx) => {
    await lockStreamOfRun(ctx, tx, { runId });
    await end(ctx, tx, `id = $runId AND ($leaseOwner::text IS NULL OR ${lease.held})`, {
      ...{ runId, leaseOwner, reason, endedAt },
    });
  });
}

/** Why a run has ended; null where it has not. */
export async function endReasonOf(ctx: Context, runId: string): Promise<string | null> {
  const run = await ctx.db.model(LiveRun).findByPk(runId, { attributes: ['endReason'] });
  return run?.endReason ?? null;
}

/** Ends the run that an external server has reported under this key. Idempotent. */
export async function endRunOf(
  ctx: Context,
  { serverKey, reason }: { readonly serverKey: string; readonly reason: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockStreamOfRun(ctx, tx, { serverKey });
    await end(ctx, tx, 'server_key = $serverKey', { serverKey, reason, endedAt: await databaseNow(ctx, tx) });
  });
}

/** Ends the active run of a stream, if it has one. The caller holds the lock of the stream. */
export async function endActiveRun(ctx: Context, tx: Transaction, streamId: string, reason: string): Promise<void> {
  await end(ctx, tx, 'stream_id = $streamId', { streamId, reason, endedAt: await databaseNow(ctx, tx) });
}

/**
 * Ends a run whose process has died, at the time of its last media: viewers and recordings have nothing later. The caller
 * holds the lock of the stream.
 */
export async function endDeadRun(ctx: Context, tx: Transaction, runId: string): Promise<boolean> {
  const ended = await end(ctx, tx, `id = $runId AND state = 'OPEN' AND ${lease.ended}`, {
    ...{ runId, reason: 'lease lost', endedAt: null },
  });
  return ended > 0;
}

/** The caller holds the lock of the stream. With `endedAt` null at the time of the last media. Counts what is left of the streaming time. */
async function end(
  ctx: Context,
  tx: Transaction,
  condition: string,
  binds: Readonly<Record<string, unknown>> & { readonly reason: string; readonly endedAt: Date | null },
): Promise<number> {
  const ended = await ctx.db.rows<CountedRun & { endedAt: Date }>(
    `UPDATE live_runs
        SET state = 'ENDED', end_reason = $reason, ${lease.returned},
            ended_at = coalesce($endedAt::timestamptz, last_media_at, opened_at, offered_at),
            last_media_at = CASE source WHEN 'REPORTED' THEN $endedAt::timestamptz ELSE last_media_at END
      WHERE ${condition} AND state IN ('OFFERED', 'OPEN') RETURNING ended_at, ${countedColumns}`,
    binds,
    tx,
  );
  for (const run of ended) await countSeconds(ctx, run.ownerId, [{ ...run, until: run.endedAt }], tx);
  return ended.length;
}
