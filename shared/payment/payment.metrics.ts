import { Counter } from 'prom-client';
import type { Context } from '../platform/context.js';

const counterName = 'payments_total';

/**
 * Counts payments by outcome. `unavailable`: a call that the provider did not answer; `ungranted`: a grant that threw
 * after the capture.
 */
export function countPayment(
  { metrics: { registry }, payments: { provider } }: Context,
  outcome:
    | 'started'
    | 'refused'
    | 'fulfilled'
    | 'rejected'
    | 'expired'
    | 'failed'
    | 'unavailable'
    | 'ungranted'
    | 'reversed'
    | 'part_refunded'
    | 'disputed'
    | 'dispute_won',
): void {
  const counter =
    (registry.getSingleMetric(counterName) as Counter<'provider' | 'outcome'> | undefined) ??
    new Counter({
      name: counterName,
      help: 'Payments by provider and outcome',
      labelNames: ['provider', 'outcome'],
      registers: [registry],
    });
  counter.inc({ provider: provider.name, outcome });
}
