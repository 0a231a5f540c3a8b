import type { Context } from '../context.js';
import type { Job } from './job.js';

/** A job that a clock enqueues, under the name of its scheduled task. */
export interface TickedJob {
  readonly name: string;
  readonly job: Job;
  readonly payload: object;
}

/**
 * Enqueues the job of a scheduled task, once a minute however many clocks run: the tick and the job are committed
 * together. False where another clock was first.
 */
export async function enqueueOnce(
  ctx: Pick<Context, 'db' | 'outbox'>,
  { name, job, payload }: TickedJob,
  minute: Date,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const inserted = await ctx.db.change(
      'INSERT INTO clock_ticks (task, minute) VALUES ($name, $minute) ON CONFLICT DO NOTHING',
      { name, minute },
      tx,
    );
    if (inserted === 0) return false;
    await ctx.outbox.add(tx, job, payload);
    return true;
  });
}

/** Removes ticks of minutes before this one. Resolves with their number. */
export async function deleteTicks(ctx: Context, before: Date): Promise<number> {
  return ctx.db.change('DELETE FROM clock_ticks WHERE minute < $before', { before });
}

/** The minute that contains an instant. */
export function minuteOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 60_000) * 60_000);
}
