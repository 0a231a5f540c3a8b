import { randomUUID } from 'node:crypto';
import { streamingAllowanceOf } from '../license/streamingHours.service.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { databaseNow, databaseTimeOfPast } from '../platform/database/databaseTime.js';
import { lease } from '../platform/lease/index.js';
import type { LiveRendition } from './liveRendition.js';
import { countedColumns, countSeconds, uncountedSeconds, type CountedRun } from './runSeconds.service.js';
import { clearRefusedEncoder } from './refusedEncoder.service.js';
import { LiveRun } from './streaming.model.js';
import { lockOwnStream, lockStreamOfRun, recordStart, sessionOfNewRun } from './liveSession.lifecycle.js';

/*
 * All transitions of a run, in database time: OFFERED, OPEN under a lease, ENDED (runs of external servers:
 * `offeredRun.lifecycle.ts`, `reportedRun.lifecycle.ts`). Only the lease owner changes a run: a process that has lost the
 * lease changes nothing and stores no segment.
 */

/** The lease is renewed with each segment, and three seconds after the last one. */
const runLeaseSeconds = 10;
/** Shorter for a pulled run, so that another process soon continues the run of a dead one. */
export const pullLeaseSeconds = 6;
/** SQL: the new lease end when a row of `live_runs` is renewed. */
export const renewedRunLease = lease.endAfter(
  `CASE source WHEN 'PULL' THEN ${pullLeaseSeconds} ELSE ${runLeaseSeconds} END`,
);
/** Streaming time is counted at this interval. */
const countedEverySeconds = 60;

export interface OpenedRun {
  readonly runId: string;
  readonly sessionId: string;
  /** Files of the session are below `live/<folder>/`. */
  readonly folder: string;
}

export interface RunClaim {
  readonly runId: string;
  /** Unique for each run of a process. */
  readonly leaseOwner: string;
}

/** SQL: the run is open, and the caller holds its lease. */
export const isHeld = `id = $runId AND state = 'OPEN' AND ${lease.held}`;

/** Another encoder has started to publish meanwhile. */
export class OtherPublisherError extends Error {
  override readonly name = 'OtherPublisherError';
}

/**
 * Opens the run of an encoder that is connected to this process. The replaced run ends. Throws OtherPublisherError if another run
 * is active, and NotFoundError if the stream is deleted or belongs to another owner.
 */
export async function openRun(
  ctx: Context,
  run: {
    readonly streamId: string;
    readonly ownerId: string;
    readonly source: 'RTMP';
    readonly leaseOwner: string;
    readonly clientAddress: string | null;
    /** Parts address of this process; `live_runs.parts_url`. */
    readonly partsUrl?: string | null;
    /** The run whose encoder is silent (`awaitSilence`); null: none was active. Undefined: any active run is replaced. */
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
    await clearRefusedEncoder(ctx, tx, run.streamId);
    return { runId, sessionId, folder };
  });
}

/** Throws OtherPublisherError if another run is active. The caller has locked the stream. */
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

/** Records that the encoder has disconnected, while the lease owner stores the last segments. Another encoder need not wait. */
export async function markEncoderLeft(ctx: Context, run: RunClaim): Promise<void> {
  await ctx.db.change(`UPDATE live_runs SET encoder_left_at = $now WHERE ${isHeld}`, {
    ...run,
    now: await databaseNow(ctx),
  });
}

/** Reception of a run since its last renewal. */
export interface RunProgress extends RunClaim {
  /** Time of this machine's clock; null before the first media. */
  readonly lastMediaAt: Date | null;
  readonly receivedBytes: number;
}

/**
 * Renews the leases of runs and writes their reception times, in one statement. Resolves with the ids of renewed runs. The others
 * are lost: taken over, deleted, ended by a hook or sweep, or the owner has no streaming hours left.
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

/** An open run, and the time up to which it is counted. */
interface OpenRun extends CountedRun {
  /** Owner of its lease; null: none. */
  readonly leaseOwner: string | null;
  readonly until: Date;
}

/**
 * Counts the time of open runs, about once a minute each, and ends those whose owner has no streaming hours left. Resolves with the
 * ids of the others. One statement counts all runs of an owner; owners do not wait for each other.
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

/** Writes the renditions of a run, highest first. Returns false if the run is lost. */
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

/** Ends a run, now or at `endedAt`; with `leaseOwner`, only if that process still holds its lease. Idempotent. */
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

/** The reason of a run's end; null: it has not ended. */
export async function endReasonOf(ctx: Context, runId: string): Promise<string | null> {
  const run = await ctx.db.model(LiveRun).findByPk(runId, { attributes: ['endReason'] });
  return run?.endReason ?? null;
}

/** Ends the run with this server key, which an external server has reported. Idempotent. */
export async function endRunOf(
  ctx: Context,
  { serverKey, reason }: { readonly serverKey: string; readonly reason: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockStreamOfRun(ctx, tx, { serverKey });
    await end(ctx, tx, 'server_key = $serverKey', { serverKey, reason, endedAt: await databaseNow(ctx, tx) });
  });
}

/** Ends the active run of a stream, if it has one. The caller has locked the stream. */
export async function endActiveRun(ctx: Context, tx: Transaction, streamId: string, reason: string): Promise<void> {
  await end(ctx, tx, 'stream_id = $streamId', { streamId, reason, endedAt: await databaseNow(ctx, tx) });
}

/**
 * Ends a run whose process has died, at the time of its last media: no later media is stored. The caller has locked the
 * stream.
 */
export async function endDeadRun(ctx: Context, tx: Transaction, runId: string): Promise<boolean> {
  const ended = await end(ctx, tx, `id = $runId AND state = 'OPEN' AND ${lease.ended}`, {
    ...{ runId, reason: 'lease lost', endedAt: null },
  });
  return ended > 0;
}

/**
 * Ends runs and counts the remaining streaming time. `endedAt` null: the time of the last media. The caller has locked the stream.
 */
async function end(
  ctx: Context,
  tx: Transaction,
  condition: string,
  binds: Readonly<Record<string, unknown>> & { readonly reason: string; readonly endedAt: Date | null },
): Promise<number> {
  const ended = await ctx.db.rows<CountedRun & { endedAt: Date }>(
    `UPDATE live_runs
        SET state = 'ENDED', end_reason = $reason, ${lease.released},
            ended_at = coalesce($endedAt::timestamptz, last_media_at, opened_at, offered_at),
            last_media_at = CASE source WHEN 'REPORTED' THEN $endedAt::timestamptz ELSE last_media_at END
      WHERE ${condition} AND state IN ('OFFERED', 'OPEN') RETURNING ended_at, ${countedColumns}`,
    binds,
    tx,
  );
  for (const run of ended) await countSeconds(ctx, run.ownerId, [{ ...run, until: run.endedAt }], tx);
  return ended.length;
}
