import type { Context } from '../platform/context.js';
import { contextPart } from '../platform/contextParts.js';
import { isUuid } from '../platform/formats/format.js';
import { RefreshedCache } from '../platform/refreshedCache.js';
import { airingsBetween } from './airing.queries.js';
import { listedAirings, tickOf, windowSeconds, airingEnd, type ListedAiring, type Airing } from './playout/index.js';
import { extendPlayout, shownUntil } from './playout.service.js';

/** What a channel lists now. */
export interface ListedNow {
  readonly listed: readonly ListedAiring[];
  /** Number of the segment after the newest one: the same tick has the same list in every process. */
  readonly tick: number;
}

/** What this process knows of a channel. Times of the channel are microseconds since 1970. */
interface Timeline {
  /** In order. Rows only grow, so that these stay right for the time up to `until`. */
  readonly airings: readonly Airing[];
  readonly until: number;
  readonly readAt: number;
  list: ListedNow;
  /** When the next segment is listed. */
  listUntil: number;
}

const second = 1e6;
/** More is read, and decided where it is not yet, when less than this is known. */
const minKnown = 30 * second;
/** Rows are read no more often than this ... */
const shortestPause = second;
/** ... or this, while viewers miss a segment. */
const shortestWait = 0.25 * second;
/** The channel may be deleted. */
const maxLifetime = 10 * second;
const maxChannels = 2_000;

class CastTimelines {
  // Whether one must be read again follows from the clock of the channel.
  readonly #timelines = new RefreshedCache<Timeline>({ lifetimeMs: Number.POSITIVE_INFINITY, maximum: maxChannels });

  /** Waits for rows only where a segment is missing that may be listed. */
  async get(ctx: Context, channelId: string): Promise<ListedNow | null> {
    const shown = shownUntil(await ctx.databaseTime.now(ctx), ctx.config);
    const known = this.#timelines.kept(channelId);
    const reading = this.#timelines.get(
      channelId,
      (before) => readTimeline(ctx, channelId, { shown, before }),
      (timeline) => isDue(timeline, shown),
    );
    const timeline = known && known.until > shown ? known : await reading;
    return timeline && listOf(timeline, shown);
  }
}

/** What this process has read for viewers of cast channels. */
export const channelTimelines = contextPart(() => new CastTimelines());

function isDue({ readAt, until }: Timeline, shown: number): boolean {
  const age = shown - readAt;
  const isOld = age > maxLifetime || (until - shown < minKnown && age > shortestPause);
  return isOld || (until <= shown && age > shortestWait);
}

/**
 * What the playlists of a channel list now. The rows are read once for all viewers of this process, ahead of what is shown; where
 * too little is decided, this decides more. Null: there is no such channel. Between two new segments it returns the same
 * object, so a text that was made of it can be kept with it. The list is empty only until the first slate is stored. Rejects
 * only where the channel was never read and cannot be.
 */
export async function listedNow(ctx: Context, channelId: string): Promise<ListedNow | null> {
  return channelTimelines(ctx).get(ctx, channelId);
}

/** The list of a time. It changes only with a new segment; one that was returned before is never followed by an older one. */
function listOf(timeline: Timeline, shown: number): ListedNow {
  if (shown < timeline.listUntil) return timeline.list;
  const listed = listedAirings(timeline.airings, shown);
  const tick = tickOf(listed);
  if (tick > timeline.list.tick) timeline.list = { listed, tick };
  timeline.listUntil = nextListedAt(timeline.airings, shown);
  return timeline.list;
}

/** When the first segment that has not ended ends. */
function nextListedAt(airings: readonly Airing[], shown: number): number {
  const playing = airings.find((airing) => airingEnd(airing) > shown);
  if (!playing) return Number.POSITIVE_INFINITY;
  let end = playing.startsAt;
  for (const duration of playing.durations) if ((end += duration) > shown) break;
  return end;
}

const nothing: ListedNow = { listed: [], tick: 0 };

/** Rows that could not be read are read again after the usual pause, not at every request. */
async function readTimeline(
  ctx: Context,
  channelId: string,
  { shown, before }: { readonly shown: number; readonly before: Timeline | null },
): Promise<Timeline | null> {
  try {
    const read = await readAirings(ctx, channelId, shown);
    return read && { ...read, readAt: shown, list: before?.list ?? nothing, listUntil: Number.NEGATIVE_INFINITY };
  } catch (error) {
    if (!before) throw error;
    ctx.log.warn({ err: error, channelId }, 'cast channel not read');
    return { ...before, readAt: shown };
  }
}

async function readAirings(
  ctx: Context,
  channelId: string,
  shown: number,
): Promise<Pick<Timeline, 'airings' | 'until'> | null> {
  if (!isUuid(channelId)) return null;
  const [channel] = await ctx.db.rows<{ decidedUntil: number | null }>(
    `SELECT playout.decided_until FROM cast_channels channel LEFT JOIN cast_playouts playout ON playout.channel_id = channel.id
      WHERE channel.id = $channelId`,
    { channelId },
  );
  if (!channel) return null;
  if ((channel.decidedUntil ?? 0) < shown + minKnown) await extendPlayout(ctx, channelId);
  const oldest = shown - 2 * windowSeconds * second;
  const airings = await airingsBetween(ctx, { channelId, from: oldest, until: Number.MAX_SAFE_INTEGER });
  const last = airings.at(-1);
  return { airings, until: last ? airingEnd(last) : oldest };
}
