import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../platform/context.js';
import { contextPart } from '../platform/contextParts.js';
import { RefreshedCache } from '../platform/refreshedCache.js';
import { Tunable } from '../platform/tunable.js';
import { airingsBetween } from './airing.queries.js';
import { extensionState, requestExtension, type ExtensionRequest } from './extension.service.js';
import { listedAirings, tickOf, windowSeconds, airingEnd, type ListedAiring, type Airing } from './playout/index.js';
import { shownUntil } from './playout.service.js';

/** The current playlist window of a channel. */
export interface ListedNow {
  readonly listed: readonly ListedAiring[];
  /** Number of the segment after the newest one: equal ticks have equal lists in every process. */
  readonly tick: number;
}

/** This process's cached rows of a channel. Times are microseconds since 1970 on the channel clock. */
interface Timeline {
  /** In order. Rows only grow, so these stay valid up to `until`. */
  readonly airings: readonly Airing[];
  readonly until: number;
  readonly readAt: number;
  /** The last job that this process has enqueued. */
  readonly request: ExtensionRequest | null;
  list: ListedNow;
  /** When the next segment is listed. */
  listUntil: number;
}

const second = 1e6;
/** Rows are read again when less than this time ahead is known, ... */
const minKnown = 30 * second;
/** ... at most once per this interval, ... */
const minPause = second;
/** ... or per this interval while a segment for viewers is missing. */
const minWait = 0.25 * second;
/** Rows of a watched channel are read at least once per this interval: it may be deleted, or need an extension. */
const maxLifetime = 10 * second;
const maxChannels = 2_000;
/** Longest time that the first viewer of an undecided channel waits for its job. */
export const firstDecisionSeconds = new Tunable(1.5);
const pollMs = 10;
/**
 * A list is current if its newest segment ended within this time: the slate for a missing live segment is decided only when
 * that segment would have ended.
 */
const maxSegment = 4 * second;

class CastTimelines {
  // No lifetime: `isDue` compares the age of an entry with the channel clock.
  readonly #timelines = new RefreshedCache<Timeline>({ lifetimeMs: Number.POSITIVE_INFINITY, maxEntries: maxChannels });

  /** Waits for rows only if a segment that may be listed is missing. */
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

/** The timelines of cast channels that this process has read for viewers. */
export const channelTimelines = contextPart(() => new CastTimelines());

function isDue({ readAt, until }: Timeline, shown: number): boolean {
  const age = shown - readAt;
  const isOld = age > maxLifetime || (until - shown < minKnown && age > minPause);
  return isOld || (until <= shown && age > minWait);
}

/**
 * The segments that the playlists of a channel list now. The rows are read once for all viewers of this process, ahead of time.
 * If too little is decided, a job is enqueued: the first viewer waits for it, others get the current list. Null: there is no
 * such channel. The function returns the same object until the next segment is listed, so callers can cache derived text by
 * object. The list is empty before the first slate is stored, and while no worker extends an undecided channel. Rejects only if
 * the channel was never read and the read fails.
 */
export async function listedNow(ctx: Context, channelId: string): Promise<ListedNow | null> {
  return channelTimelines(ctx).get(ctx, channelId);
}

/** The list at a time. It changes only with a new segment, and never goes back to an older one. */
function listOf(timeline: Timeline, shown: number): ListedNow {
  if (shown < timeline.listUntil) return timeline.list;
  const listed = listedAirings(timeline.airings, shown);
  const tick = tickOf(listed);
  if (tick > timeline.list.tick) timeline.list = { listed, tick };
  timeline.listUntil = nextListedAt(timeline.airings, shown);
  return timeline.list;
}

/** The end of the current segment: the next one is then listed. */
function nextListedAt(airings: readonly Airing[], shown: number): number {
  const playing = airings.find((airing) => airingEnd(airing) > shown);
  if (!playing) return Number.POSITIVE_INFINITY;
  let end = playing.startsAt;
  for (const duration of playing.durations) if ((end += duration) > shown) break;
  return end;
}

const nothing: ListedNow = { listed: [], tick: 0 };

interface TimelineRead {
  readonly shown: number;
  readonly before: Timeline | null;
}

/** After a failed read, the next attempt follows after the usual interval, not with the next request. */
async function readTimeline(ctx: Context, channelId: string, read: TimelineRead): Promise<Timeline | null> {
  const { shown, before } = read;
  try {
    const rows = await readAirings(ctx, channelId, read);
    return rows && { ...rows, readAt: shown, list: before?.list ?? nothing, listUntil: Number.NEGATIVE_INFINITY };
  } catch (error) {
    if (!before) throw error;
    ctx.log.warn({ err: error, channelId }, 'cast channel read failed');
    return { ...before, readAt: shown };
  }
}

async function readAirings(
  ctx: Context,
  channelId: string,
  { shown, before }: TimelineRead,
): Promise<Pick<Timeline, 'airings' | 'until' | 'request'> | null> {
  const state = await extensionState(ctx, channelId, shown);
  if (!state) return null;
  const { decidedUntil, isMissing } = state;
  let request = before?.request ?? null;
  if (isMissing) {
    request = await requestExtension(ctx, channelId, { decidedUntil, at: shown, before: request });
    const isFirst = !before || shown - before.readAt > maxLifetime;
    if (isFirst && decidedUntil < shown - maxSegment) await decisionOf(ctx, channelId, shown);
  }
  const oldest = shown - 2 * windowSeconds * second;
  const airings = await airingsBetween(ctx, { channelId, from: oldest, until: Number.MAX_SAFE_INTEGER });
  const last = airings.at(-1);
  return { airings, until: last ? airingEnd(last) : oldest, request };
}

/** Waits until a worker has extended the channel's playout, for at most `firstDecisionSeconds`. */
async function decisionOf(ctx: Context, channelId: string, shown: number): Promise<void> {
  const endsAt = performance.now() + ctx.config.limit(firstDecisionSeconds) * 1_000;
  while (performance.now() < endsAt) {
    await sleep(pollMs);
    const state = await extensionState(ctx, channelId, shown);
    if (!state || state.decidedUntil >= shown - maxSegment) return;
  }
}
