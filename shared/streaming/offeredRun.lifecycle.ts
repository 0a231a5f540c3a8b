import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { databaseNow } from '../platform/database/databaseTime.js';
import { lease } from '../platform/lease/index.js';
import {
  endActiveRun,
  endDeadRun,
  isHeld,
  pullLeaseSeconds,
  type OpenedRun,
  type RunClaim,
} from './liveRun.lifecycle.js';
import { lockOwnStream, recordStart, sessionOfNewRun, streamLock } from './liveSession.lifecycle.js';
import { clearRefusedEncoder } from './refusedEncoder.service.js';
import { LiveRun } from './streaming.model.js';

/*
 * Runs of external servers: a hook offers a run, and a live process claims it and pulls the media. If that process dies, the
 * run is offered again, because the encoder is still connected to the external server. A run that no process pulls is OPEN at
 * once (`reportedRun.lifecycle.ts`).
 */

/** A run whose lease this process holds. */
export interface ClaimedRun extends OpenedRun {
  readonly streamId: string;
  readonly ownerId: string;
  readonly streamPath: string;
  readonly pullUrl: string;
}

export interface OfferedRun {
  readonly streamId: string;
  readonly ownerId: string;
  /** The server, its start, and its connection id. */
  readonly serverKey: string;
  /** Null: no process pulls it, and the run is OPEN without a lease. */
  readonly pullUrl: string | null;
  readonly clientAddress: string | null;
}

/**
 * Offers a publication that an external server has received. Another active run of the stream ends. Idempotent: a key that was
 * offered before changes nothing, even if its run has ended. Throws NotFoundError if the stream is deleted or belongs to
 * another owner.
 */
export async function offerRun(ctx: Context, run: OfferedRun): Promise<{ readonly runId: string }> {
  return ctx.db.transaction(async (tx) => {
    await lockOwnStream(ctx, tx, run);
    const where = { serverKey: run.serverKey };
    const known = await ctx.db.model(LiveRun).findOne({ where, attributes: ['id'], transaction: tx });
    if (known) return { runId: known.id };
    await endActiveRun(ctx, tx, run.streamId, 'taken over');
    await clearRefusedEncoder(ctx, tx, run.streamId);
    return { runId: await insertOffered(ctx, tx, run) };
  });
}

const connectionPollMs = 100;
const recentMs = 300_000;
/** SQL: the seconds until a released run can be claimed again. */
const pauseBeforeClaim = `(
  SELECT CASE WHEN count(*) < 2 THEN 0 ELSE least($maxSeconds::float8, 2 ^ least(count(*) - 2, 10)) END
    FROM live_runs recent WHERE recent.stream_id = live_runs.stream_id AND recent.opened_at > $recently)`;

/**
 * Claims the oldest offered run, or the run of a dead process. Null if there is none. `partsUrl`: parts address of this
 * process, for `live_runs.parts_url`.
 */
export async function claimOffered(
  ctx: Context,
  leaseOwner: string,
  partsUrl: string | null = null,
): Promise<ClaimedRun | null> {
  return ctx.db.transaction(async (tx) => {
    const [stream] = await ctx.db.rows<{ id: string; path: string }>(
      `SELECT stream.id, stream.path
         FROM (SELECT stream_id, offered_at FROM live_runs WHERE state = 'OFFERED'
                UNION ALL SELECT stream_id, offered_at FROM live_runs run WHERE ${isDeadPull}) AS run
         JOIN live_streams stream ON stream.id = run.stream_id
        ORDER BY run.offered_at LIMIT 1 ${streamLock} OF stream SKIP LOCKED`,
      {},
      tx,
    );
    if (!stream) return null;
    await offerAgain(ctx, tx, stream.id);
    return openOffered(ctx, tx, stream, { leaseOwner, partsUrl });
  });
}

/** Records that the live process waits for a run's media: the external server may let the encoder start. */
export async function markConnected(ctx: Context, run: RunClaim): Promise<void> {
  await ctx.db.change(`UPDATE live_runs SET connected_at = $now WHERE ${isHeld}`, {
    ...run,
    now: await databaseNow(ctx),
  });
}

/** Resolves when a live process waits for the media of this run, or after `maxSeconds`. */
export async function awaitConnected(ctx: Context, runId: string, maxSeconds: number): Promise<void> {
  const endsAt = performance.now() + maxSeconds * 1000;
  for (;;) {
    const run = await ctx.db.model(LiveRun).findByPk(runId, { attributes: ['state', 'connectedAt'] });
    if (!run || run.state === 'ENDED' || run.connectedAt || performance.now() > endsAt) return;
    await sleep(connectionPollMs);
  }
}

/**
 * Releases the lease of a pulled run, so that it can be claimed again: its encoder may still be connected to the external
 * server. It can be claimed at once, or, if the stream was claimed several times in five minutes, after 1, 2, 4 ... s, at most
 * half of `LIVE_RECONNECT_SECONDS`, so that a failing source is not read in a tight loop. Does nothing if the run is lost.
 */
export async function releaseRun(ctx: Context, run: RunClaim): Promise<void> {
  const { reconnectSeconds } = ctx.config.live;
  await ctx.db.change(
    `UPDATE live_runs
        SET lease_until = ${lease.endAfter(pauseBeforeClaim)}
      WHERE source = 'PULL' AND ${isHeld}`,
    {
      ...run,
      recently: new Date((await databaseNow(ctx)).getTime() - recentMs),
      maxSeconds: reconnectSeconds / 2,
    },
  );
}

/**
 * Ends a stream's run whose lease has expired; a pulled run is offered again. The caller has locked the stream. Resolves with
 * whether there was such a run.
 */
export async function releaseDeadRun(ctx: Context, tx: Transaction, streamId: string): Promise<boolean> {
  if (await offerAgain(ctx, tx, streamId)) return true;
  const [dead] = await ctx.db.rows<{ id: string }>(
    `SELECT id FROM live_runs WHERE stream_id = $streamId AND state = 'OPEN' AND ${lease.ended}`,
    { streamId },
    tx,
  );
  return dead ? endDeadRun(ctx, tx, dead.id) : false;
}

const isDeadPull = `(run.source = 'PULL' AND run.state = 'OPEN' AND run.${lease.ended})`;

/** Replaces a dead pulled run. The new run gets the server key, so that hooks refer to it, and the time of the first offer. */
async function offerAgain(ctx: Context, tx: Transaction, streamId: string): Promise<boolean> {
  const [dead] = await ctx.db.rows<OfferedRun & { id: string; offeredAt: Date }>(
    `SELECT run.id, run.stream_id, run.owner_id, run.server_key, run.pull_url, run.client_address, run.offered_at
       FROM live_runs run WHERE run.stream_id = $streamId AND ${isDeadPull}`,
    { streamId },
    tx,
  );
  if (!dead || !(await endDeadRun(ctx, tx, dead.id))) return false;
  await ctx.db.model(LiveRun).update({ serverKey: null }, { where: { id: dead.id }, transaction: tx });
  await insertOffered(ctx, tx, dead);
  return true;
}

async function insertOffered(
  ctx: Context,
  tx: Transaction,
  run: OfferedRun & { readonly offeredAt?: Date },
): Promise<string> {
  const { streamId, ownerId, serverKey, pullUrl, clientAddress } = run;
  const id = randomUUID();
  const session = await sessionOfNewRun(ctx, tx, streamId);
  const now = await databaseNow(ctx, tx);
  const offeredAt = run.offeredAt ?? now;
  const begun =
    pullUrl === null
      ? ({ source: 'REPORTED', state: 'OPEN', openedAt: now } as const)
      : ({ source: 'PULL', state: 'OFFERED' } as const);
  const row = { id, sessionId: session.id, streamId, ownerId, serverKey, pullUrl, clientAddress, ...begun, offeredAt };
  await ctx.db.model(LiveRun).create(row, { transaction: tx });
  await recordStart(ctx, tx, streamId, session);
  return id;
}

/** OFFERED to OPEN. The session is selected again, because it may have ended while the offered run waited. */
async function openOffered(
  ctx: Context,
  tx: Transaction,
  { id: streamId, path: streamPath }: { readonly id: string; readonly path: string },
  claim: { readonly leaseOwner: string; readonly partsUrl: string | null },
): Promise<ClaimedRun | null> {
  const session = await sessionOfNewRun(ctx, tx, streamId);
  const { id: sessionId, folder } = session;
  const [run] = await ctx.db.rows<Omit<ClaimedRun, 'folder' | 'streamPath'>>(
    `UPDATE live_runs
        SET state = 'OPEN', session_id = $sessionId, ${lease.taken}, opened_at = $now,
            parts_url = $partsUrl
      WHERE stream_id = $streamId AND state = 'OFFERED'
      RETURNING id AS run_id, session_id, stream_id, owner_id, pull_url`,
    { ...claim, streamId, sessionId, leaseSeconds: pullLeaseSeconds, now: await databaseNow(ctx, tx) },
    tx,
  );
  await recordStart(ctx, tx, streamId, session);
  return run ? { ...run, folder, streamPath } : null;
}
