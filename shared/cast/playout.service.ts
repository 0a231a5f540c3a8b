import type { Config } from '../platform/config.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { Tunable } from '../platform/tunable.js';
import { CastPlayout } from './cast.model.js';
import { deleteInBatches } from '../platform/database/deleteInBatches.js';
import type { CastConfig } from './cast.settings.js';
import { lastAiring, storeAirings } from './airing.queries.js';
import {
  windowSeconds,
  decidedBy,
  extendAirings,
  hasProgramEnded,
  type Decided,
  type AiredProgram,
  type Timetable,
} from './playout/index.js';
import { extendChannel } from './cast.jobs.js';
import { readySlates } from './slate.service.js';
import { loadTimetable } from './timetable.queries.js';

/* Times are microseconds since 1970 on the channel clock. */

const second = 1_000_000;
/** A longer backlog is skipped: no viewer is waiting for it. */
const maxBacklog = 180 * second;
/** A live segment is replaced by the slate if it is not stored this long before it would be listed. */
const liveMargin = second;
/** Programs are read this far beyond the decided time: the next program's start limits the slate before it. */
const lookAhead = 60 * second;

/**
 * How far ahead of now playout is decided: less than `CAST_FREEZE_SECONDS`, so that cuts can be encoded for the latest possible
 * edit.
 */
export function decidedAhead({ freezeSeconds }: CastConfig): number {
  return freezeSeconds * 0.75 * second;
}

/**
 * Delay between programmed and shown time, the same for all programs: the maximum time that live media may take from the camera
 * to the playlist.
 */
export const castDelaySeconds = new Tunable(10);

/** The channel time that viewers see now. */
export function shownUntil(now: number, { limit }: Pick<Config, 'limit'>): number {
  return now - limit(castDelaySeconds) * second;
}

/**
 * Decides what a channel plays up to `decidedAhead` from now, in one transaction that locks the row of `cast_playouts`: each
 * segment is decided once, also with concurrent calls. Resolves with the time up to which the channel is decided: earlier if a live
 * segment is not stored yet, unchanged while no slate was ever stored. Null: there is no such channel.
 */
export async function extendPlayout(ctx: Context, channelId: string): Promise<number | null> {
  const now = await ctx.databaseTime.now(ctx);
  const until = now + decidedAhead(ctx.config.cast);
  const slates = await readySlates(ctx, channelId);
  const missing: MissingCut[] = [];
  const endsAt = await ctx.db.transaction(async (tx) => {
    missing.length = 0;
    const decidedUntil = await lockPlayout(ctx, tx, channelId, now);
    if (decidedUntil === null || decidedUntil >= until) return decidedUntil;
    const decided = withoutBacklog(ctx, { until: decidedUntil, last: await lastAiring(ctx, channelId, tx) }, now);
    const window = { channelId, from: decided.until - second, until: until + lookAhead };
    const timetable = await loadTimetable(ctx, window, slates, tx);
    const airings = extendAirings(
      recordingMissing(timetable, missing),
      decided,
      until,
      shownUntil(now, ctx.config) + liveMargin,
    );
    const after = decidedBy(decided, airings);
    if (airings.length > 0) await storeAirings(ctx, tx, channelId, airings, after.until);
    // The exact start of the program after a live one is known only now: its cuts are requested at once.
    if (
      timetable.programs.some(
        (one) => isLive(one) && !hasProgramEnded(one, decided.until) && hasProgramEnded(one, after.until),
      )
    )
      await ctx.outbox.add(tx, extendChannel, { channelId });
    return after.until;
  });
  for (const cut of missing)
    ctx.log.warn({ channelId, ...cut }, 'cut not stored in time: the program starts or ends at a segment boundary');
  return endsAt;
}

function isLive({ media }: AiredProgram): boolean {
  return media.kind === 'LIVE';
}

interface MissingCut {
  readonly contentId: string;
  readonly firstFrame: number;
  readonly endFrame: number;
}

/** The same timetable; adds requested cuts that are not stored to `missing`. */
function recordingMissing(timetable: Timetable, missing: MissingCut[]): Timetable {
  return {
    ...timetable,
    cut(content, firstFrame, endFrame) {
      const cut = timetable.cut(content, firstFrame, endFrame);
      if (!cut) missing.push({ contentId: content.contentId, firstFrame, endFrame });
      return cut;
    },
  };
}

/** Skips a long undecided time: the channel continues with the segments that viewers would see now. */
function withoutBacklog(ctx: Context, decided: Decided, now: number): Decided {
  const shown = shownUntil(now, ctx.config);
  if (decided.until >= shown - maxBacklog) return decided;
  return { ...decided, until: firstShown(ctx, now) };
}

/** Start of a new channel, so that its first playlist is complete. */
function firstShown(ctx: Context, now: number): number {
  return shownUntil(now, ctx.config) - windowSeconds * second;
}

/** The channel's `decidedUntil`; locks its row until the transaction ends. Null: there is no such channel. */
async function lockPlayout(ctx: Context, tx: Transaction, channelId: string, now: number): Promise<number | null> {
  const lock = async (): Promise<number | null> => {
    const row = await ctx.db.model(CastPlayout).findByPk(channelId, { transaction: tx, lock: 'UPDATE' });
    return row?.decidedUntil ?? null;
  };
  const locked = await lock();
  if (locked !== null) return locked;
  await ctx.db.change(
    `INSERT INTO cast_playouts (channel_id, decided_until)
     SELECT channel.id, $until::bigint FROM cast_channels channel WHERE channel.id = $channelId FOR KEY SHARE
     ON CONFLICT DO NOTHING`,
    { channelId, until: firstShown(ctx, now) },
    tx,
  );
  return lock();
}

/**
 * The time from which the programs of a channel may be changed: now plus `CAST_FREEZE_SECONDS`, or later if more is decided;
 * rounded up to a second. Locks the playout, so that the programs that the transaction writes are played. The caller has
 * locked the row of the channel before.
 */
export async function firstFreeTime(ctx: Context, tx: Transaction, channelId: string): Promise<Date> {
  const now = await ctx.databaseTime.now(ctx, tx);
  const decidedUntil = (await lockPlayout(ctx, tx, channelId, now)) ?? now;
  const free = Math.max(now + ctx.config.cast.freezeSeconds * second, decidedUntil);
  return new Date(Math.ceil(free / second) * 1000);
}

/**
 * An airing is kept this long after it was shown: the addresses of its segments expire earlier. Its files are kept equally
 * long (`castGenerations`, `retainedCastWindows`).
 */
export const airingRetentionSeconds = 45 * 60;

/** Stores the time up to which a channel's cuts and slates are requested. */
export async function recordPreparedUntil(ctx: Context, channelId: string, until: Date): Promise<void> {
  await ctx.db.model(CastPlayout).update({ preparedUntil: until }, { where: { channelId } });
}

/**
 * Removes airings that no viewer can request any more. The last airing of an existing channel stays, because the next one continues
 * its numbers. Resolves with the number of removed airings.
 */
export async function removeOldAirings(ctx: Context, signal: AbortSignal): Promise<number> {
  return deleteInBatches(
    ctx,
    `DELETE FROM cast_airings WHERE (channel_id, sequence) IN (
       SELECT airing.channel_id, airing.sequence FROM cast_airings airing
        WHERE airing.ends_at < $before::bigint
          AND (airing.sequence < (SELECT max(last.sequence) FROM cast_airings last WHERE last.channel_id = airing.channel_id)
               OR NOT EXISTS (SELECT 1 FROM cast_playouts playout WHERE playout.channel_id = airing.channel_id))
        LIMIT $batchRows)`,
    { before: (ctx.clock.now().getTime() - airingRetentionSeconds * 1000) * 1000 },
    signal,
  );
}
