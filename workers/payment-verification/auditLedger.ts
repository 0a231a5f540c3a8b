import { auditPayments } from '../../shared/payment/paymentAudit.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `payment.audit`: logs an error for each difference between payments and ledger. */
export const auditLedgerHandler: Handler<object> = async ({ ctx, log, signal }) => {
  const faults = await auditPayments(ctx, signal);
  for (const fault of faults) log.error({ fault }, 'ledger audit failed');
  return { faults: faults.length };
};
