import { giveUpUnsent, removeOldEvents, requeueDeliveries } from '../../shared/webhook/deliverySweep.service.js';
import { giveUpUnrendered, requeueUnrendered } from '../../shared/webhook/eventRendering.service.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `webhook.sweep`: removes old events, and queues events and deliveries again if their jobs were lost. */
export const sweepWebhooksHandler: Handler<object> = async ({ ctx, log, signal }) => {
  const removed = await removeOldEvents(ctx, signal);
  if (removed > 0) log.info({ removed }, 'old events removed');
  await giveUpUnsent(ctx, signal);
  const requeued = await requeueDeliveries(ctx);
  if (requeued > 0) log.warn({ webhooks: requeued }, 'overdue deliveries queued again');
  await giveUpUnrendered(ctx);
  const owners = await requeueUnrendered(ctx);
  if (owners > 0) log.warn({ owners }, 'overdue events queued again');
};
