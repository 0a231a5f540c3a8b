import type { Handler } from '../runtime/jobTypes.js';

const keptDays = 7;

/** Ticks only matter while a second clock could still make the same one. */
export const sweepClockTicks: Handler<object> = async ({ ctx, log }) => {
  const before = new Date(ctx.clock.now().getTime() - keptDays * 86_400_000);
  const removed = await ctx.db.change('DELETE FROM clock_ticks WHERE minute < $before', { before });
  log.info({ removed }, 'clock ticks swept');
};
