import { giveUpUnsent, removeOldEvents, requeueDeliveries } from '../../shared/webhook/deliverySweep.service.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `webhook.sweep`: removes what is old, finds deliveries whose jobs were lost, and events whose data could not be read before. */
export const sweepWebhooksHandler: Handler<object> = async ({ ctx, log, signal }) => {
  const removed = await removeOldEvents(ctx, signal);
  if (removed > 0) log.info({ removed }, 'old events removed');
  await giveUpUnsent(ctx, signal);
  const requeued = await requeueDeliveries(ctx);
  if (requeued > 0) log.warn({ webhooks: requeued }, 'overdue deliveries queued again');
  const recorded = await ctx.events.recordUnrendered(signal);
  if (recorded > 0) log.info({ recorded }, 'events recorded late');
};
