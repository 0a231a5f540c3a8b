import { checkLedger, checkRules } from '../ledger/check.js';
import type { Context } from '../platform/context.js';

/** Money taken and things granted are equal: a payment and its posting never stand without each other. */
const rules = [
  {
    fault: 'a payment is not posted as it was made:',
    sql: `SELECT payment.id::text AS what
            FROM payments payment
            LEFT JOIN ledger_transactions entry ON entry.tracking_id = payment.tracking_id
            LEFT JOIN ledger_postings posting ON posting.transaction_id = entry.id AND posting.account = 'CLEARING'
           WHERE payment.state = 'FULFILLED'
             AND (posting.id IS NULL OR entry.kind <> 'SALE' OR entry.currency <> payment.currency
                  OR posting.amount_cents <> payment.amount_cents)`,
  },
  {
    fault: 'something is posted for a payment that was not made:',
    sql: `SELECT coalesce(payment.id, entry.id)::text AS what
            FROM ledger_transactions entry LEFT JOIN payments payment ON payment.tracking_id = entry.tracking_id
            LEFT JOIN ledger_transactions reversal ON reversal.reverses = entry.id
           WHERE entry.kind <> 'REVERSAL'
             AND (CASE WHEN reversal.id IS NOT NULL THEN 'REVERSED' WHEN entry.kind = 'SALE' THEN 'FULFILLED' ELSE 'FAILED' END)
                 IS DISTINCT FROM payment.state`,
  },
] as const;

/** Holds payments and books to each other; resolves with what does not fit, which is nothing. */
export async function auditPayments(ctx: Context): Promise<string[]> {
  return [...(await checkLedger(ctx)), ...(await checkRules(ctx, rules))];
}
