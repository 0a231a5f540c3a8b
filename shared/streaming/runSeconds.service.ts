import { addStreamingSeconds } from '../license/streamingHours.service.js';
import { currentMonth } from '../license/usage.service.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';

/** A run, with what is counted of its time on the license of its owner. */
export interface CountedRun {
  readonly id: string;
  readonly ownerId: string;
  /** Null: no process has ever held it. */
  readonly openedAt: Date | null;
  readonly countedSeconds: number;
}

/** SQL: the columns of a `CountedRun`. */
export const countedColumns = 'id, owner_id, opened_at, counted_seconds';

/** The seconds of an open run that are not counted yet, until then. */
export function uncountedSeconds({ openedAt, countedSeconds }: CountedRun, until: Date): number {
  return openedAt ? Math.ceil((until.getTime() - openedAt.getTime()) / 1000) - countedSeconds : 0;
}

/**
 * Counts the time of runs on the license of their owner; the condition makes two processes count it once. Rows of runs are locked before
 * that of the quota, as at the end of a run, and all of them until the end of the statement only: a segment that is stored waits for
 * its run, and with a transaction of several statements it would wait for a process that is busy.
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
