import type { Config } from '../platform/config.js';
import type { Context } from '../platform/context.js';
import { NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import type { PaymentClaim, PaymentOutcome, PaymentProvider, Payments, Purchase } from '../platform/payments.js';
import type { Desk } from './desk.js';
import { hearOf } from './hear.js';
import { openProvider } from './openProvider.js';
import { findPayment } from './payment.row.js';
import { reversePayment } from './reverse.js';
import { startPayment } from './start.js';
import { createTurns } from './turns.js';
import { verifyPayment, type Reach } from './verify.js';

/** See `Payments`; states and who moves them are told in `docs/decisions/money.md`. */
export function createPayments(given: {
  readonly config: Config;
  /** It exists by the time that somebody pays. */
  readonly context: () => Context;
  readonly purchases: readonly Purchase[];
  /** Stands before the provider; for tests. */
  readonly between?: (provider: PaymentProvider) => PaymentProvider;
}): Payments {
  const opened = openProvider(given.config, given.context);
  const provider = given.between ? given.between(opened) : opened;
  const desk = (): Desk => ({ ctx: given.context(), provider, purchases: given.purchases });
  const acquireFence = createTurns<PaymentOutcome>();
  const ask = async (trackingId: string, reach: Reach): Promise<PaymentOutcome> =>
    acquireFence(`${trackingId} ${reach}`, () => verifyPayment(desk(), trackingId, reach));
  return {
    provider,
    start: async (order) => startPayment(desk(), order),
    verify: async (trackingId, { late = false } = {}) => ask(trackingId, late ? 'unpaid' : 'open'),
    async settle(claim) {
      await assertClaimMatches(given.context(), claim);
      return ask(claim.trackingId.toLowerCase(), 'open');
    },
    reverse: async (trackingId) => reversePayment(desk(), trackingId),
    hear: async (trackingId, told) => hearOf(desk(), trackingId, told, ask),
  };
}

/** Throws NotFoundError unless the payment was made for this, and by the caller or by nobody in particular. */
async function assertClaimMatches(ctx: Context, claim: PaymentClaim): Promise<void> {
  const { trackingId, kind, itemId, buyerId } = claim;
  const payment = isUuid(trackingId) ? await findPayment(ctx, { trackingId }) : undefined;
  const answers =
    payment?.kind === kind && payment.itemId === itemId && (payment.buyerId === null || payment.buyerId === buyerId);
  if (!answers) throw new NotFoundError();
}
