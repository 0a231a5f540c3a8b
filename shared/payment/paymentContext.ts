import { Counter } from 'prom-client';
import type { Context } from '../platform/context.js';
import type { Metrics } from '../platform/metrics.js';
import type { PaymentOutcome } from './payment.model.js';
import type { PaymentProvider } from './providers/provider.js';
import { openProvider } from './providers/providers.js';
import type { Purchases } from './purchase.js';
import { createSingleFlight, type SingleFlight } from './singleFlight.js';

/** `ctx.payments`: the payment domain's part of the context. */
export interface PaymentContext {
  /** The configured provider. Its SDK is loaded by the first call. */
  readonly provider: PaymentProvider;
  /** The registry `shared/purchases.ts`. */
  readonly purchases: Purchases;
  /** Verifications that run in this process, by payment. */
  readonly verifications: SingleFlight<PaymentOutcome>;
}

// The platform imports no domain, so the member is declared here; `shared/openContext.ts` fills it.
declare module '../platform/context.js' {
  interface Context {
    readonly payments: PaymentContext;
  }
}

/** A new value for each context: two contexts in one process share no state. */
export function openPayments(
  opened: Pick<Context, 'config' | 'db' | 'clock' | 'metrics'>,
  purchases: Purchases,
): PaymentContext {
  const provider = openProvider(opened);
  const counter = paymentCounter(opened.metrics);
  for (const outcome of outcomes) counter.inc({ provider: provider.name, outcome }, 0);
  return { provider, purchases, verifications: createSingleFlight() };
}

const counterName = 'payments_total';

/** `unavailable`: a call to which the provider did not respond; `ungranted`: a grant that threw after the capture. */
const outcomes = [
  'started',
  'refused',
  'fulfilled',
  'rejected',
  'expired',
  'failed',
  'unavailable',
  'ungranted',
  'reversed',
  'part_refunded',
  'disputed',
  'dispute_won',
] as const;

/** Counts payments by outcome. */
export function countPayment({ metrics, payments: { provider } }: Context, outcome: (typeof outcomes)[number]): void {
  paymentCounter(metrics).inc({ provider: provider.name, outcome });
}

function paymentCounter({ registry }: Metrics): Counter<'provider' | 'outcome'> {
  const known = registry.getSingleMetric(counterName) as Counter<'provider' | 'outcome'> | undefined;
  return (
    known ??
    new Counter({
      name: counterName,
      help: 'Payments by provider and outcome',
      labelNames: ['provider', 'outcome'],
      registers: [registry],
    })
  );
}
