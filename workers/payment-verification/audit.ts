import { auditPayments } from '../../shared/payment/audit.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `payment.audit`: an alarm in the log for everything that does not add up. */
export const audit: Handler<object> = async ({ ctx, log }) => {
  const faults = await auditPayments(ctx);
  for (const fault of faults) log.error({ fault }, 'the books do not add up');
  return { faults: faults.length };
};
