import type { Context } from '../platform/context.js';
import type { PaymentProvider } from './providers/provider.js';
import { openProvider } from './providers/providers.js';
import type { Purchase } from './purchase.js';
import { createSingleFlight, type SingleFlight } from './singleFlight.js';
import type { PaymentOutcome } from './verifyPayment.js';

/** `ctx.payments`: what the functions of this folder need besides the rest of the context. */
export interface PaymentContext {
  /** The configured provider. Its SDK is loaded by the first call. */
  readonly provider: PaymentProvider;
  /** Everything that is sold; see `shared/purchases.ts`. */
  readonly purchases: readonly Purchase[];
  /** Verifications that run in this process, by payment. */
  readonly verifications: SingleFlight<PaymentOutcome>;
}

// The platform knows no domain, so the member is declared here; `shared/context.ts` fills it.
declare module '../platform/context.js' {
  interface Context {
    readonly payments: PaymentContext;
  }
}

/** Each context gets its own value: two contexts in one process share no state. */
export function openPayments(
  opened: Pick<Context, 'config' | 'db' | 'clock'>,
  purchases: readonly Purchase[],
): PaymentContext {
  return { provider: openProvider(opened), purchases, verifications: createSingleFlight() };
}
