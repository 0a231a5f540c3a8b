import { deleteTicks } from '../../shared/platform/queue/clockTicks.js';
import { deleteEndedCounts } from '../../shared/platform/throttle/throttle.js';
import type { Handler } from '../runtime/jobTypes.js';

/** A tick is needed only while another clock may enqueue the same minute. */
const keptDays = 7;

/** `platform.sweep`: removes old ticks, and counts of attempts whose time is over. */
export const sweepPlatformHandler: Handler<object> = async ({ ctx, log, signal }) => {
  const ticks = await deleteTicks(ctx, new Date(ctx.clock.now().getTime() - keptDays * 86_400_000));
  const counts = await deleteEndedCounts(ctx, signal);
  log.info({ ticks, counts }, 'old clock ticks and counts of attempts removed');
};
