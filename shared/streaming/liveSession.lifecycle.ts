import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { databaseNow } from '../platform/database/databaseTime.js';
import { NotFoundError } from '../platform/errors.js';
import { LiveSession, LiveStream } from './streaming.model.js';

/*
 * Transitions of a session: OPEN with its first run, ENDED when no run has followed the last one within
 * `LIVE_RECONNECT_SECONDS`. Each transition of runs and sessions locks the stream's row first, so transitions of one stream are
 * serialised. It then ends the previous run, adds its time to the owner's quota, and changes the session. Renewals and
 * segments do not lock the stream: they lock an open run and then its session, which no transition changes while a run is
 * open.
 */

declare module '../platform/eventSubjects.js' {
  interface EventSubjects {
    /** An encoder has started to publish. */
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
  /** Its files are below `live/<folder>/`. */
  readonly folder: string;
}

/** The session of a new run. */
export interface ChosenLiveSession extends LiveSessionFolder {
  /** New session: the caller records its start (`recordStart`) after it has written the run. */
  readonly isNew: boolean;
}

/**
 * SQL: row lock that excludes other transitions, but not foreign key checks. PostgreSQL runs such a check for a row that a
 * transaction changes twice, and would then wait for the stream while it holds the row.
 */
export const streamLock = 'FOR NO KEY UPDATE';

/** Locks a stream against other transitions. Throws NotFoundError if it is deleted or belongs to another owner. */
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

/** Locks the stream of a run, by the run's id or server key. Does nothing if there is no such run. */
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

/** SQL: the time since which the session `s` has had no run. Only meaningful without an OPEN run. */
const idleSince = 'greatest(s.opened_at, (SELECT max(run.ended_at) FROM live_runs run WHERE run.session_id = s.id))';

/**
 * The session of a new run: the open one, or a new one if the open one has waited for too long. Segment and discontinuity
 * numbers and media positions continue from the previous session, so that they never decrease for a player that has missed the
 * change. The caller has locked the stream and ended the previous run.
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

/** Records the start of a stream, if its session is new. */
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

/** A deleted stream has no path, and causes no events. */
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
