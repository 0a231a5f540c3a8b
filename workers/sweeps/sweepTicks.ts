import { deleteTicks } from '../../shared/platform/queue/clockTicks.js';
import type { Handler } from '../runtime/jobTypes.js';

const keptDays = 7;

/** `platform.sweepTicks`: removes old ticks. A tick is needed only while another clock may enqueue the same minute. */
export const sweepTicksHandler: Handler<object> = async ({ ctx, log }) => {
  const before = new Date(ctx.clock.now().getTime() - keptDays * 86_400_000);
  const removed = await deleteTicks(ctx, before);
  log.info({ removed }, 'old clock ticks removed');
};
