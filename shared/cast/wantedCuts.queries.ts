import type { Context } from '../platform/context.js';
import { channelTime } from './channelClock.js';
import type { WantedCut } from './cut.service.js';
import { lastAiring } from './airing.queries.js';
import { airingEnd } from './playout/airing.js';
import { wantedCuts } from './playout/wantedCuts.js';
import { readySlates } from './slate.queries.js';
import { loadTimetable } from './timetable.queries.js';

/** Cuts are made so long before they are played. */
export const preparedSeconds = 600;

/** The cuts that a channel will play within `preparedSeconds`, also those that are stored: they are still needed. */
export async function upcomingCuts(ctx: Context, channelId: string): Promise<WantedCut[]> {
  const now = await channelTime(ctx);
  const last = await lastAiring(ctx, channelId);
  const decided = { last, until: Math.max(now, last ? airingEnd(last) : now) };
  const until = now + preparedSeconds * 1e6;
  const window = { channelId, from: decided.until - 1e6, until };
  const timetable = await loadTimetable(ctx, window, await readySlates(ctx, channelId));
  return wantedCuts(timetable, decided, until).map(({ source, programEndsAt }) => {
    const { contentId, generation, firstFrame, endFrame } = source;
    return { contentId, generation, firstFrame, endFrame, neededUntil: new Date(programEndsAt / 1000) };
  });
}
