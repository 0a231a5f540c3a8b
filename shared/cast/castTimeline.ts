import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../platform/context.js';
import { contextPart } from '../platform/contextParts.js';
import { RefreshedCache } from '../platform/refreshedCache.js';
import { Tunable } from '../platform/tunable.js';
import { airingsBetween } from './airing.queries.js';
import { extensionState, requestExtension, type ExtensionRequest } from './extension.service.js';
import { listedAirings, tickOf, windowSeconds, airingEnd, type ListedAiring, type Airing } from './playout/index.js';
import { shownUntil } from './playout.service.js';

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
  /** The job that this process has enqueued last. */
  readonly request: ExtensionRequest | null;
  list: ListedNow;
  /** When the next segment is listed. */
  listUntil: number;
}

const second = 1e6;
/** Rows are read again when less than this is known, ... */
const minKnown = 30 * second;
/** ... at most once in this time, ... */
const minPause = second;
/** ... or in this while viewers miss a segment. */
const minWait = 0.25 * second;
/** Rows are read at least once in this time while a channel is watched: it may be deleted, or decided too little. */
const maxLifetime = 10 * second;
const maxChannels = 2_000;
/** The first viewer of a channel that is not decided waits for its job no longer than this. */
export const firstDecisionSeconds = new Tunable(1.5);
const pollMs = 10;
/** A list is right if its newest segment ended this long ago: a slate in place of a missing live segment is decided when it ends. */
const maxSegment = 4 * second;

class CastTimelines {
  // Whether one must be read again follows from the clock of the channel.
  readonly #timelines = new RefreshedCache<Timeline>({ lifetimeMs: Number.POSITIVE_INFINITY, maxEntries: maxChannels });

  /** Waits for rows only if a segment is missing that may be listed. */
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
  const isOld = age > maxLifetime || (until - shown < minKnown && age > minPause);
  return isOld || (until <= shown && age > minWait);
}

/**
 * What the playlists of a channel list now. The rows are read once for all viewers of this process, ahead of what is shown. If too little
 * is decided, a job is enqueued: the first viewer waits for it, others get the list as it is. Null: there is no such channel. Between two
 * new segments it returns the same object, so a text that was made of it can be kept with it. The list is empty before the first slate is
 * stored, and if a channel that was not decided gets no worker. Rejects only if the channel was never read and cannot be.
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

interface TimelineRead {
  readonly shown: number;
  readonly before: Timeline | null;
}

/** Rows that could not be read are read again after the usual pause, not at every request. */
async function readTimeline(ctx: Context, channelId: string, read: TimelineRead): Promise<Timeline | null> {
  const { shown, before } = read;
  try {
    const rows = await readAirings(ctx, channelId, read);
    return rows && { ...rows, readAt: shown, list: before?.list ?? nothing, listUntil: Number.NEGATIVE_INFINITY };
  } catch (error) {
    if (!before) throw error;
    ctx.log.warn({ err: error, channelId }, 'cast channel not read');
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

/** Waits until a worker has decided what the channel shows, for `firstDecisionSeconds` at most. */
async function decisionOf(ctx: Context, channelId: string, shown: number): Promise<void> {
  const endsAt = performance.now() + ctx.config.limit(firstDecisionSeconds) * 1_000;
  while (performance.now() < endsAt) {
    await sleep(pollMs);
    const state = await extensionState(ctx, channelId, shown);
    if (!state || state.decidedUntil >= shown - maxSegment) return;
  }
}
