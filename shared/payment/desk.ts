import { Counter } from 'prom-client';
import type { Context } from '../platform/context.js';
import type { PaymentProvider, Purchase, PurchaseKind } from '../platform/payments.js';

/** What payments are made with. */
export interface Desk {
  readonly ctx: Context;
  readonly provider: PaymentProvider;
  readonly purchases: readonly Purchase[];
}

/** A provider that says nothing for so long is away. */
export const providerPatienceMs = 15_000;

export function purchaseOf({ purchases }: Desk, { kind }: { readonly kind: PurchaseKind }): Purchase {
  const purchase = purchases.find((one) => one.kind === kind);
  if (!purchase) throw new Error(`nothing is sold as ${kind}`);
  return purchase;
}

const counterName = 'payments_total';

/** Counts what becomes of payments; `unavailable` counts calls that the provider did not answer. */
export function countPayment(
  { ctx, provider }: Pick<Desk, 'ctx' | 'provider'>,
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
  const { registry } = ctx.metrics;
  const counter =
    (registry.getSingleMetric(counterName) as Counter<'provider' | 'outcome'> | undefined) ??
    new Counter({
      name: counterName,
      help: 'Payments by provider and what has become of them',
      labelNames: ['provider', 'outcome'],
      registers: [registry],
    });
  counter.inc({ provider: provider.name, outcome });
}
