import { ledgerFaults, runRules } from '../ledger/audit.js';
import type { Context } from '../platform/context.js';

/** Captured money and postings are equal: neither a payment nor its posting exists without the other. */
const rules = [
  {
    fault: 'payment without the matching posting:',
    sql: `SELECT payment.id::text AS what
            FROM payments payment
            LEFT JOIN ledger_transactions entry ON entry.tracking_id = payment.tracking_id
            LEFT JOIN ledger_postings posting ON posting.transaction_id = entry.id AND posting.account = 'CLEARING'
           WHERE payment.state = 'FULFILLED'
             AND (posting.id IS NULL OR entry.kind <> 'SALE' OR entry.currency <> payment.currency
                  OR posting.amount_cents <> payment.amount_cents)`,
  },
  {
    fault: 'posting without the matching payment:',
    sql: `SELECT coalesce(payment.id, entry.id)::text AS what
            FROM ledger_transactions entry LEFT JOIN payments payment ON payment.tracking_id = entry.tracking_id
            LEFT JOIN ledger_transactions reversal ON reversal.reverses = entry.id
           WHERE entry.kind <> 'REVERSAL'
             AND (CASE WHEN reversal.id IS NOT NULL THEN 'REVERSED' WHEN entry.kind = 'SALE' THEN 'FULFILLED' ELSE 'FAILED' END)
                 IS DISTINCT FROM payment.state`,
  },
] as const;

/** Compares payments with the ledger; resolves with the faults found. */
export async function auditPayments(ctx: Context): Promise<string[]> {
  return [...(await ledgerFaults(ctx)), ...(await runRules(ctx, rules))];
}
