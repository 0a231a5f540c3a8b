import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import { lastAiring } from './airing.queries.js';
import { airingEnd, requestedCuts } from './playout/index.js';
import { readySlates } from './slate.service.js';
import { loadTimetable } from './timetable.queries.js';
import { newPreparedFolder } from './preparation.lifecycle.js';
import { prepareCast } from './cast.jobs.js';

/** A segment of a content, from a frame up to another one (exclusive), that a program begins or ends with. */
export interface RequestedCut {
  readonly contentId: string;
  readonly generation: number;
  readonly firstFrame: number;
  readonly endFrame: number;
  /** When the program that plays it is over. */
  readonly neededUntil: Date;
}

/**
 * Has these cuts made by a worker, unless they are stored or have failed, and keeps their files until an hour after
 * `neededUntil`. Idempotent, and no write where nothing is new.
 */
export async function wantCuts(ctx: Context, wants: readonly RequestedCut[]): Promise<void> {
  if (wants.length === 0) return;
  // In one order, so that two processes that want the same cuts do not wait for each other.
  const ordered = [...wants].sort(
    (one, other) => one.contentId.localeCompare(other.contentId) || one.firstFrame - other.firstFrame,
  );
  await ctx.db.transaction(async (tx) => {
    const inserted = await ctx.db.rows<{ id: string; isNew: boolean }>(
      `INSERT INTO cast_cuts (id, content_id, generation, first_frame, end_frame, state, folder, needed_until, created_at)
       SELECT DISTINCT ON (content_id, generation, first_frame, end_frame)
              id, content_id, generation, first_frame, end_frame, 'WAITING', folder, needed_until, $now
         FROM unnest($ids::uuid[], $contentIds::uuid[], $generations::int[], $firstFrames::int[], $endFrames::int[],
                     $folders::text[], $neededUntils::timestamptz[])
              AS want (id, content_id, generation, first_frame, end_frame, folder, needed_until)
        WHERE NOT EXISTS (SELECT 1 FROM cast_cuts cut
                           WHERE (cut.content_id, cut.generation, cut.first_frame, cut.end_frame)
                               = (want.content_id, want.generation, want.first_frame, want.end_frame)
                             AND cut.needed_until >= want.needed_until)
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

function bindsOf(wants: readonly RequestedCut[]): Record<string, readonly unknown[]> {
  const ids = wants.map(() => randomUUID());
  return {
    ids,
    folders: ids.map(newPreparedFolder),
    contentIds: wants.map(({ contentId }) => contentId),
    generations: wants.map(({ generation }) => generation),
    firstFrames: wants.map(({ firstFrame }) => firstFrame),
    endFrames: wants.map(({ endFrame }) => endFrame),
    neededUntils: wants.map(({ neededUntil }) => neededUntil),
  };
}

/** Cuts are made so long before they are played. */
export const preparedSeconds = 600;

/** The cuts that a channel will play within `preparedSeconds`, also those that are stored: they are still needed. */
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
