import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { databaseNow } from '../platform/database/databaseTime.js';
import { NotFoundError } from '../platform/errors.js';
import { LiveSession, LiveStream } from './streaming.model.js';

/*
 * Transitions of a session: OPEN with its first run, ENDED when no run has followed the last one within
 * `LIVE_RECONNECT_SECONDS`. Every transition of runs and sessions locks the row of their stream first, so no two of one stream
 * run at the same time. Then it ends the run before, counts its time on the quota of the owner, and changes the session. Renewals
 * and segments do not lock the stream: they lock an open run, and only then its session, which no transition changes while
 * a run is open.
 */

declare module '../platform/eventSubjects.js' {
  interface EventSubjects {
    /** An encoder has begun to publish. */
    readonly 'live.started': StreamSubject;
    /** No encoder has followed the last one within `LIVE_RECONNECT_SECONDS`. */
    readonly 'live.ended': StreamSubject;
  }
}

export interface StreamSubject {
  readonly streamId: string;
  /** Whether an encoder publishes. */
  readonly isReceiving?: boolean;
}

export interface LiveSessionFolder {
  readonly id: string;
  /** Its files: `live/<folder>/`. */
  readonly folder: string;
}

/** The session of a new run. */
export interface ChosenLiveSession extends LiveSessionFolder {
  /** The caller records its beginning (`recordStart`) when it has written the run. */
  readonly isNew: boolean;
}

/**
 * SQL: excludes other transitions, and not the checks of foreign keys. PostgreSQL makes such a check for a row that a
 * transaction changes twice: it would then wait for the stream while it holds the row.
 */
export const streamLock = 'FOR NO KEY UPDATE';

/** Locks a stream against other transitions. Throws NotFoundError where it is deleted, or of another owner. */
export async function lockOwnStream(
  ctx: Context,
  tx: Transaction,
  { streamId, ownerId }: { readonly streamId: string; readonly ownerId: string },
): Promise<void> {
  const rows = await ctx.db.rows(
    `SELECT id FROM live_streams WHERE id = $streamId AND owner_id = $ownerId AND path IS NOT NULL ${streamLock}`,
    { streamId, ownerId },
    tx,
  );
  if (rows.length === 0) throw new NotFoundError({ detail: `no stream ${streamId} of user ${ownerId}` });
}

/** Locks a stream, also a deleted one, against other transitions. */
export async function lockStream(ctx: Context, tx: Transaction, streamId: string): Promise<void> {
  await ctx.db.model(LiveStream).findByPk(streamId, { attributes: ['id'], transaction: tx, lock: 'NO KEY UPDATE' });
}

/** Locks the stream of a run, by its id or by its server key. Does nothing where there is no such run. */
export async function lockStreamOfRun(
  ctx: Context,
  tx: Transaction,
  run: { readonly runId: string } | { readonly serverKey: string },
): Promise<void> {
  const condition = 'runId' in run ? 'id = $runId' : 'server_key = $serverKey';
  await ctx.db.rows(
    `SELECT id FROM live_streams WHERE id = (SELECT stream_id FROM live_runs WHERE ${condition}) ${streamLock}`,
    run,
    tx,
  );
}

/** SQL: since when the session `s` has had no run. Only meaningful without an OPEN run. */
const idleSince = 'greatest(s.opened_at, (SELECT max(run.ended_at) FROM live_runs run WHERE run.session_id = s.id))';

/**
 * The session that a new run belongs to: the open one, or a new one where that has waited for too long. The numbers of
 * segments and discontinuities, and their positions, go on from the session before, so that a player which has missed the change sees neither
 * go back. The caller holds the lock of the stream, and has ended the run before.
 */
export async function sessionOfNewRun(ctx: Context, tx: Transaction, streamId: string): Promise<ChosenLiveSession> {
  const now = await databaseNow(ctx, tx);
  await endWhereIdle(ctx, tx, streamId);
  const where = { streamId, state: 'OPEN' } as const;
  const open = await ctx.db.model(LiveSession).findOne({ where, attributes: ['id', 'folder'], transaction: tx });
  if (open) return { ...open, isNew: false };
  const id = randomUUID();
  const folder = `${id}-${randomBytes(16).toString('hex')}`;
  await ctx.db.change(
    `INSERT INTO live_sessions
            (id, stream_id, folder, state, opened_at, next_sequence, next_discontinuity, next_position_microseconds)
     SELECT $id, $streamId, $folder, 'OPEN', $now, coalesce(max(next_sequence), 0), coalesce(max(next_discontinuity), 0),
            coalesce(max(next_position_microseconds), 0)
       FROM live_sessions WHERE stream_id = $streamId`,
    { id, streamId, folder, now },
    tx,
  );
  return { id, folder, isNew: true };
}

/** Records that a stream has begun, where its session is new. */
export async function recordStart(
  ctx: Context,
  tx: Transaction,
  streamId: string,
  { isNew }: ChosenLiveSession,
): Promise<void> {
  if (isNew) await recordForOwner(ctx, tx, 'live.started', streamId);
}

/** Ends the open sessions that no run has followed in time. Resolves with their number. */
export async function endIdleLiveSessions(ctx: Context): Promise<number> {
  const idle = await ctx.db.rows<{ streamId: string }>(
    `SELECT s.stream_id FROM live_sessions s WHERE s.state = 'OPEN' AND ${isIdle} LIMIT 100`,
    await idleBinds(ctx),
  );
  let ended = 0;
  for (const { streamId } of idle)
    ended += await ctx.db.transaction(async (tx) => {
      await lockStream(ctx, tx, streamId);
      return endWhereIdle(ctx, tx, streamId);
    });
  return ended;
}

const isIdle = `${idleSince} < $idleBefore
  AND NOT EXISTS (SELECT 1 FROM live_runs run WHERE run.session_id = s.id AND run.state = 'OPEN')`;

async function idleBinds(ctx: Context, tx?: Transaction): Promise<{ idleBefore: Date }> {
  return { idleBefore: new Date((await databaseNow(ctx, tx)).getTime() - ctx.config.live.reconnectSeconds * 1000) };
}

async function endWhereIdle(ctx: Context, tx: Transaction, streamId: string): Promise<number> {
  const ended = await ctx.db.change(
    `UPDATE live_sessions s SET state = 'ENDED', ended_at = ${idleSince}
      WHERE s.stream_id = $streamId AND s.state = 'OPEN' AND ${isIdle}`,
    { streamId, ...(await idleBinds(ctx, tx)) },
    tx,
  );
  if (ended > 0) await recordForOwner(ctx, tx, 'live.ended', streamId);
  return ended;
}

/** A deleted stream has no path, and no events. */
async function recordForOwner(
  ctx: Context,
  tx: Transaction,
  type: 'live.started' | 'live.ended',
  streamId: string,
): Promise<void> {
  const attributes = ['ownerId', 'path'] as const;
  const stream = await ctx.db.model(LiveStream).findByPk(streamId, { attributes, transaction: tx });
  if (stream === null || stream.path === null) return;
  await ctx.events.record(tx, type, stream.ownerId, { streamId, isReceiving: type === 'live.started' });
}
