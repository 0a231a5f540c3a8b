import { addLostChecks } from '../../shared/payment/checkSchedule.js';
import { deleteOldEvents } from '../../shared/payment/providerEvents.js';
import type { Handler } from '../runtime/jobTypes.js';

const batchSize = 500;

/** `payment.sweep`: adds lost checks again, and deletes provider events that are too old to be repeated. */
export const sweepPaymentsHandler: Handler<object> = async ({ ctx, log, signal }) => {
  let lost = 0;
  let batch: number;
  do {
    batch = await addLostChecks(ctx, batchSize);
    lost += batch;
  } while (batch === batchSize && !signal.aborted);
  if (lost > 0) log.warn({ lost }, 'lost payment checks added again');
  const forgotten = await deleteOldEvents(ctx, signal);
  return { lost, forgotten };
};
