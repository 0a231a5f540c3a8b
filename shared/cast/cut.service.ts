import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import { lastAiring } from './airing.queries.js';
import { airingEnd, requestedCuts } from './playout/index.js';
import { readySlates } from './slate.service.js';
import { loadTimetable } from './timetable.queries.js';
import { newPreparedFolder } from './preparation.lifecycle.js';
import { prepareCast } from './cast.jobs.js';

/** The first or last segment of a program, cut from a content between two frames (the end is exclusive). */
export interface RequestedCut {
  readonly contentId: string;
  readonly generation: number;
  readonly firstFrame: number;
  readonly endFrame: number;
  /** End of the program that plays it. */
  readonly neededUntil: Date;
}

/**
 * Requests these cuts from a worker, unless they are stored or have failed, and keeps their files until an hour after
 * `neededUntil`. Idempotent; writes nothing if nothing is new.
 */
export async function requestCuts(ctx: Context, requested: readonly RequestedCut[]): Promise<void> {
  if (requested.length === 0) return;
  // A fixed order prevents deadlocks between two processes that request the same cuts.
  const ordered = [...requested].sort(
    (one, other) => one.contentId.localeCompare(other.contentId) || one.firstFrame - other.firstFrame,
  );
  await ctx.db.transaction(async (tx) => {
    const inserted = await ctx.db.rows<{ id: string; isNew: boolean }>(
      `INSERT INTO cast_cuts (id, content_id, generation, first_frame, end_frame, state, folder, needed_until, created_at)
       SELECT DISTINCT ON (content_id, generation, first_frame, end_frame)
              id, content_id, generation, first_frame, end_frame, 'WAITING', folder, needed_until, $now
         FROM unnest($ids::uuid[], $contentIds::uuid[], $generations::int[], $firstFrames::int[], $endFrames::int[],
                     $folders::text[], $neededUntils::timestamptz[])
              AS requested (id, content_id, generation, first_frame, end_frame, folder, needed_until)
        WHERE NOT EXISTS (SELECT 1 FROM cast_cuts cut
                           WHERE (cut.content_id, cut.generation, cut.first_frame, cut.end_frame)
                               = (requested.content_id, requested.generation, requested.first_frame, requested.end_frame)
                             AND cut.needed_until >= requested.needed_until)
        ORDER BY content_id, generation, first_frame, end_frame, needed_until DESC
       ON CONFLICT (content_id, generation, first_frame, end_frame)
         DO UPDATE SET needed_until = greatest(cast_cuts.needed_until, excluded.needed_until)
       RETURNING id, xmax = 0 AS is_new`,
      { ...bindsOf(ordered), now: ctx.clock.now() },
      tx,
    );
    await ctx.outbox.addMany(
      tx,
      prepareCast,
      inserted.filter(({ isNew }) => isNew).map(({ id }) => ({ payload: { id } })),
    );
  });
}

function bindsOf(requested: readonly RequestedCut[]): Record<string, readonly unknown[]> {
  const ids = requested.map(() => randomUUID());
  return {
    ids,
    folders: ids.map(newPreparedFolder),
    contentIds: requested.map(({ contentId }) => contentId),
    generations: requested.map(({ generation }) => generation),
    firstFrames: requested.map(({ firstFrame }) => firstFrame),
    endFrames: requested.map(({ endFrame }) => endFrame),
    neededUntils: requested.map(({ neededUntil }) => neededUntil),
  };
}

/** Cuts are requested this long before they are played. */
export const preparedSeconds = 600;

/** The cuts that a channel will play within `preparedSeconds`, including stored ones, which remain needed. */
export async function upcomingCuts(ctx: Context, channelId: string): Promise<RequestedCut[]> {
  const now = await ctx.databaseTime.now(ctx);
  const last = await lastAiring(ctx, channelId);
  const decided = { last, until: Math.max(now, last ? airingEnd(last) : now) };
  const until = now + preparedSeconds * 1e6;
  const window = { channelId, from: decided.until - 1e6, until };
  const timetable = await loadTimetable(ctx, window, await readySlates(ctx, channelId));
  return requestedCuts(timetable, decided, until).map(({ source, programEndsAt }) => {
    const { contentId, generation, firstFrame, endFrame } = source;
    return { contentId, generation, firstFrame, endFrame, neededUntil: new Date(programEndsAt / 1000) };
  });
}
