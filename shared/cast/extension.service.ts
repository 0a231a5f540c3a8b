import type { Context } from '../platform/context.js';
import { extendChannel } from './cast.jobs.js';
import { preparedSeconds } from './cut.service.js';
import { decidedAhead } from './playout.service.js';
import { maxProgramMs } from './programming/program.queries.js';

/*
 * Playout is extended by a scheduled job for channels on air, and otherwise by a job that viewers' requests enqueue.
 * Times are microseconds since 1970 on the channel clock.
 */

const second = 1_000_000;
/** The scheduled job extends a channel if less than this part of `decidedAhead` is decided: with default settings a minute ... */
const extendedBelow = 2 / 3;
/**
 * ... and a viewer's request enqueues a job below this part: lower, because the scheduled job then acts first on a channel on air.
 */
const requestedBelow = 1 / 2;
/** The playout of a live program is decided while its segments are stored, up to this long before they are shown. */
const liveMargin = second;

/** A channel that airs a program, and how far its playout is decided. */
export interface ChannelOnAir {
  readonly channelId: string;
  readonly ownerId: string;
  readonly decidedUntil: number;
}

/** The channels with a program or break whose playout is decided within the next `seconds`. */
export async function channelsOnAir(ctx: Context, seconds: number): Promise<ChannelOnAir[]> {
  const now = (await ctx.databaseTime.now(ctx)) / 1000;
  const until = now + seconds * 1000 + decidedAhead(ctx.config.cast) / 1000;
  return ctx.db.rows<ChannelOnAir>(
    `SELECT DISTINCT program.channel_id, program.owner_id, coalesce(playout.decided_until, 0) AS decided_until
       FROM cast_programs program LEFT JOIN cast_playouts playout ON playout.channel_id = program.channel_id
      WHERE program.starts_at < $until AND program.ends_at > $now AND program.ends_at < $latest`,
    { now: new Date(now), until: new Date(until), latest: new Date(until + maxProgramMs) },
  );
}

/** Whether the scheduled job extends a channel now. */
export function isExtensionDue(
  ctx: Context,
  { decidedUntil }: Pick<ChannelOnAir, 'decidedUntil'>,
  now: number,
): boolean {
  return decidedUntil < now + extendedBelow * decidedAhead(ctx.config.cast);
}

/** How far a channel is decided, and whether a viewer's request must enqueue its job. */
export interface ExtensionState {
  /** 0: the channel has never played. */
  readonly decidedUntil: number;
  readonly isMissing: boolean;
}

/** `shown`: the channel time that viewers see now. Null: there is no such channel. */
export async function extensionState(ctx: Context, channelId: string, shown: number): Promise<ExtensionState | null> {
  const [channel] = await ctx.db.rows<{ decidedUntil: number | null; isLive: boolean }>(
    `SELECT playout.decided_until,
            EXISTS (SELECT 1 FROM cast_programs program
                     WHERE program.channel_id = channel.id AND program.type = 'LIVE' AND program.failure_key IS NULL
                       AND program.starts_at BETWEEN to_timestamp(playout.decided_until / 1e6) - make_interval(secs => $maxSeconds::int)
                                                 AND to_timestamp(playout.decided_until / 1e6) + interval '1 second'
                       AND program.ends_at > to_timestamp(playout.decided_until / 1e6)) AS is_live
       FROM cast_channels channel LEFT JOIN cast_playouts playout ON playout.channel_id = channel.id
      WHERE channel.id = $channelId`,
    { channelId, maxSeconds: maxProgramMs / 1000 },
  );
  if (!channel) return null;
  const decidedUntil = channel.decidedUntil ?? 0;
  const now = await ctx.databaseTime.now(ctx);
  const required = channel.isLive ? shown + liveMargin : now + requestedBelow * decidedAhead(ctx.config.cast);
  return { decidedUntil, isMissing: decidedUntil < required };
}

/** A job of a channel that this process has enqueued. */
export interface ExtensionRequest {
  readonly decidedUntil: number;
  readonly at: number;
  /** Backoff until the next request, while `decidedUntil` does not change. */
  readonly pause: number;
}

const maxPause = 60 * second;

/**
 * Enqueues `cast.extend` for a viewer's request. Backs off if nothing was decided since the request `before`: that job is still in
 * the outbox or the queue. Never rejects: the viewer gets the segments already decided.
 */
export async function requestExtension(
  ctx: Context,
  channelId: string,
  {
    decidedUntil,
    at,
    before,
  }: Pick<ExtensionRequest, 'decidedUntil' | 'at'> & { readonly before: ExtensionRequest | null },
): Promise<ExtensionRequest> {
  const repeated = before?.decidedUntil === decidedUntil ? before : null;
  if (repeated && at - repeated.at < repeated.pause) return repeated;
  try {
    await ctx.db.transaction((tx) => ctx.outbox.add(tx, extendChannel, { channelId }));
  } catch (error) {
    ctx.log.warn({ err: error, channelId }, 'cast channel job not enqueued');
  }
  return { decidedUntil, at, pause: repeated ? Math.min(2 * repeated.pause, maxPause) : second };
}

/**
 * Enqueues `cast.extend` for channels that may need another cut or slate soon: cuts for the start or end of a program are not
 * requested yet, or the media of a program may still change. Has a lower priority than other channel jobs. Resolves with the number
 * of channels.
 */
export async function queueExtensions(ctx: Context): Promise<number> {
  const now = ctx.clock.now().getTime();
  const soon = now + preparedSeconds * 1000;
  return ctx.db.transaction(async (tx) => {
    const channels = await ctx.db.rows<{ channelId: string }>(
      `SELECT DISTINCT program.channel_id
         FROM cast_programs program
              LEFT JOIN cast_playouts playout ON playout.channel_id = program.channel_id
              LEFT JOIN box_items item ON item.id = program.box_item_id
              LEFT JOIN contents content ON content.id = item.content_id
        WHERE program.starts_at < $soon AND program.ends_at > $now AND program.ends_at < $latest
          AND (playout.prepared_until IS NULL
               OR program.starts_at > playout.prepared_until
               OR program.ends_at > playout.prepared_until AND program.ends_at <= $soon
               OR program.type = 'LIVE'
               OR program.type = 'PRERECORDED'
                  AND (content.state IS DISTINCT FROM 'READY' OR content.ready_grid IS NULL
                       OR program.failure_key IS NOT NULL))`,
      { now: new Date(now), soon: new Date(soon), latest: new Date(soon + maxProgramMs) },
      tx,
    );
    const options = { priority: 1 };
    await ctx.outbox.addMany(
      tx,
      extendChannel,
      channels.map((payload) => ({ payload, options })),
    );
    return channels.length;
  });
}
