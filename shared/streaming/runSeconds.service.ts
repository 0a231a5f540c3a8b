import { addStreamingSeconds } from '../license/streamingHours.service.js';
import { currentMonth } from '../license/usage.service.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';

/** A run, with the seconds already added to its owner's streaming time. */
export interface CountedRun {
  readonly id: string;
  readonly ownerId: string;
  /** Null: the run was never OPEN. */
  readonly openedAt: Date | null;
  readonly countedSeconds: number;
}

/** SQL: the columns of a `CountedRun`. */
export const countedColumns = 'id, owner_id, opened_at, counted_seconds';

/** The seconds of a run up to `until` that are not counted yet. */
export function uncountedSeconds({ openedAt, countedSeconds }: CountedRun, until: Date): number {
  return openedAt ? Math.ceil((until.getTime() - openedAt.getTime()) / 1000) - countedSeconds : 0;
}

/**
 * Adds the time of runs to their owner's streaming time; the condition prevents that two processes count it twice. Locks the rows
 * of runs before the row of the quota, like the end of a run. A single statement keeps the locks short, because storing a segment
 * waits for the lock of its run.
 */
export async function countSeconds(
  ctx: Context,
  ownerId: string,
  runs: readonly (CountedRun & { readonly until: Date })[],
  tx?: Transaction,
): Promise<void> {
  const uncounted = runs
    .map((run) => ({ ...run, seconds: uncountedSeconds(run, run.until) }))
    .filter(({ seconds }) => seconds > 0);
  if (uncounted.length === 0) return;
  await ctx.db.change(
    `WITH counted AS (
       UPDATE live_runs run SET counted_seconds = run.counted_seconds + uncounted.seconds
         FROM unnest($ids::uuid[], $countedSeconds::int[], $seconds::int[]) AS uncounted (id, counted_seconds, seconds)
        WHERE run.id = uncounted.id AND run.counted_seconds = uncounted.counted_seconds RETURNING uncounted.seconds
     )
     ${addStreamingSeconds}`,
    {
      ids: uncounted.map(({ id }) => id),
      countedSeconds: uncounted.map(({ countedSeconds }) => countedSeconds),
      seconds: uncounted.map(({ seconds }) => seconds),
      userId: ownerId,
      month: await currentMonth(ctx, tx),
    },
    tx,
  );
}
