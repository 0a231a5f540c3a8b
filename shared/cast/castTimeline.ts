import { LRUCache } from 'lru-cache';
import type { Context } from '../platform/context.js';
import { isUuid } from '../platform/formats/format.js';
import { withTimeout } from '../platform/withTimeout.js';
import { airingsBetween } from './airing.queries.js';
import { listedAirings, tickOf, windowSeconds, type ListedAiring } from './playout/castPlaylist.js';
import { airingEnd, type Airing } from './playout/airing.js';
import { extendPlayout, shownUntil } from './playout.service.js';

/** What a channel lists now. */
export interface ListedNow {
  readonly listed: readonly ListedAiring[];
  /** Number of the segment after the newest one: the same tick has the same list in every process. */
  readonly tick: number;
}

declare module '../platform/context.js' {
  interface Context {
    /** What this process has read for viewers of cast channels. */
    readonly channelTimelines: CastTimelines;
  }
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
const leastKnown = 30 * second;
/** Rows are read no more often than this ... */
const shortestPause = second;
/** ... or this, while viewers miss a segment. */
const shortestWait = 0.25 * second;
/** The channel may be deleted. */
const longestLifetime = 10 * second;
/** Viewers wait no longer for a new segment: they get the list without it. */
const longestWaitMs = 2_000;
const mostChannels = 2_000;

/** What this process has read of channels. */
export class CastTimelines {
  readonly #timelines = new LRUCache<string, Timeline>({ max: mostChannels });
  readonly #reads = new Map<string, Promise<Timeline | null>>();

  async get(ctx: Context, channelId: string): Promise<ListedNow | null> {
    const now = await ctx.databaseTime.now(ctx);
    const shown = shownUntil(now, ctx.config);
    const known = this.#timelines.get(channelId);
    const timeline = known
      ? await this.#refreshed(ctx, channelId, known, shown)
      : await this.#read(ctx, channelId, shown);
    return timeline && listOf(timeline, shown);
  }

  /** Waits for rows only where a segment is missing that may be listed. */
  async #refreshed(ctx: Context, channelId: string, known: Timeline, shown: number): Promise<Timeline | null> {
    const age = shown - known.readAt;
    const isMissing = known.until <= shown;
    const isOld = age > longestLifetime || (known.until - shown < leastKnown && age > shortestPause);
    if (!isOld && !(isMissing && age > shortestWait)) return known;
    const reading = this.#read(ctx, channelId, shown).catch((error: unknown) => {
      ctx.log.warn({ err: error, channelId }, 'cast channel not read');
      // It is tried again after a pause, not at every request.
      const kept = { ...known, readAt: shown };
      this.#timelines.set(channelId, kept);
      return kept;
    });
    return isMissing ? withTimeout(reading, longestWaitMs).catch(() => known) : known;
  }

  /** One read at a time for a channel. */
  #read(ctx: Context, channelId: string, shown: number): Promise<Timeline | null> {
    const running = this.#reads.get(channelId);
    if (running) return running;
    const reading = readTimeline(ctx, channelId, shown)
      .then((timeline) => {
        if (!timeline) this.#timelines.delete(channelId);
        else {
          timeline.list = this.#timelines.peek(channelId)?.list ?? timeline.list;
          this.#timelines.set(channelId, timeline);
        }
        return timeline;
      })
      .finally(() => this.#reads.delete(channelId));
    this.#reads.set(channelId, reading);
    return reading;
  }
}

/**
 * What the playlists of a channel list now. The rows are read once for all viewers of this process, ahead of what is shown; where
 * too little is decided, this decides more. Null: there is no such channel. Between two new segments it returns the same
 * object, so a text that was made of it can be kept with it. The list is empty only until the first slate is stored. Rejects
 * only where the channel was never read and cannot be.
 */
export async function listedNow(ctx: Context, channelId: string): Promise<ListedNow | null> {
  return ctx.channelTimelines.get(ctx, channelId);
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

async function readTimeline(ctx: Context, channelId: string, shown: number): Promise<Timeline | null> {
  if (!isUuid(channelId)) return null;
  const [channel] = await ctx.db.rows<{ decidedUntil: number | null }>(
    `SELECT playout.decided_until FROM cast_channels channel LEFT JOIN cast_playouts playout ON playout.channel_id = channel.id
      WHERE channel.id = $channelId`,
    { channelId },
  );
  if (!channel) return null;
  if ((channel.decidedUntil ?? 0) < shown + leastKnown) await extendPlayout(ctx, channelId);
  const oldest = shown - 2 * windowSeconds * second;
  const airings = await airingsBetween(ctx, { channelId, from: oldest, until: Number.MAX_SAFE_INTEGER });
  const last = airings.at(-1);
  const until = last ? airingEnd(last) : oldest;
  return { airings, until, readAt: shown, list: nothing, listUntil: Number.NEGATIVE_INFINITY };
}
