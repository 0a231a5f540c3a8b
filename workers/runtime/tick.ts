import type { Context } from '../../shared/platform/context.js';
import type { ScheduledTask } from '../schedule.js';

/**
 * Asks for a task's job, once a minute however many clocks tick: the row of task and minute and the job's own are
 * committed together. Resolves with whether this clock was the first.
 */
export async function tick(ctx: Context, { name, job, payload }: ScheduledTask, minute: Date): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const first = await ctx.db.change(
      'INSERT INTO clock_ticks (task, minute) VALUES ($name, $minute) ON CONFLICT DO NOTHING',
      { name, minute },
      tx,
    );
    if (first === 0) return false;
    await ctx.outbox.add(tx, job, payload);
    return true;
  });
}

/** The minute that an instant lies in. */
export function minuteOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 60_000) * 60_000);
}
