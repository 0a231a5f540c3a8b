import { forgetOldEvents } from '../../shared/payment/events.js';
import { addLostChecks } from '../../shared/payment/intervals.js';
import type { Handler } from '../runtime/jobTypes.js';

const batchSize = 500;

/** `payment.sweep`: asks again for checks that were lost on their way, and forgets events too old to come twice. */
export const sweepLostChecks: Handler<object> = async ({ ctx, log, signal }) => {
  let lost = 0;
  let batch: number;
  do {
    batch = await addLostChecks(ctx, batchSize);
    lost += batch;
  } while (batch === batchSize && !signal.aborted);
  if (lost > 0) log.warn({ lost }, 'checks of payments were lost, and are asked for again');
  const forgotten = await forgetOldEvents(ctx);
  return { lost, forgotten };
};
