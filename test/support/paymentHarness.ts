import { divideSale } from '../../shared/ledger/divide.js';
import {
  settlePayment,
  startPayment,
  type PresentedPayment,
  type PaymentOrder,
  type StartedPayment,
} from '../../shared/payment/payment.service.js';
import { openPayments } from '../../shared/payment/paymentContext.js';
import type { PaymentProvider } from '../../shared/payment/providers/provider.js';
import type { Purchase } from '../../shared/payment/purchase.js';
import type { PaymentOutcome } from '../../shared/payment/payment.model.js';
import { openTestContext, type TestContext, type TestOptions } from './context.js';
import { createUser } from './users.js';

export type PaymentHarness = Awaited<ReturnType<typeof openPaymentHarness>>;

interface HarnessOptions extends TestOptions {
  /** Wraps the configured provider. */
  readonly wrap?: (provider: PaymentProvider) => PaymentProvider;
}

/** Payments of a purchase that exists only in tests: a grant is a row of the table `granted`. */
export async function openPaymentHarness(
  settings: Record<string, string> = {},
  { wrap = (provider) => provider, ...options }: HarnessOptions = {},
) {
  const opened = await openTestContext(settings, options);
  await opened.db.change('CREATE TABLE granted (tracking_id uuid NOT NULL REFERENCES payments (tracking_id))');
  const [sellerId, buyerId] = [await createUser(opened), await createUser(opened)];
  const purchase: Purchase = {
    async grant(ctx, tx, { trackingId, amountCents, sellerId: seller }) {
      await harness.beforeGrant();
      await ctx.db.change('INSERT INTO granted (tracking_id) VALUES ($trackingId)', { trackingId }, tx);
      return divideSale(amountCents, ctx.config.payments.platformBasisPoints, seller ?? '');
    },
    async revoke(ctx, tx, { trackingId }) {
      await ctx.db.change('DELETE FROM granted WHERE tracking_id = $trackingId', { trackingId }, tx);
    },
  };
  const openProcess = (): TestContext => {
    const payments = openPayments(opened, {
      license: purchase,
      bundle: purchase,
      vod: purchase,
      marketplace: purchase,
      liveEvent: purchase,
    });
    return { ...opened, payments: { ...payments, provider: wrap(payments.provider) } };
  };
  const ctx = openProcess();
  const one = async <Value>(sql: string, trackingId: string): Promise<Value | undefined> =>
    (await ctx.db.rows<{ value: Value }>(sql, { trackingId }))[0]?.value;
  const harness = {
    /** A context whose payments are those of the harness, also for jobs and pages. */
    ctx,
    sellerId,
    buyerId,
    start: (order: Partial<PaymentOrder> = {}): Promise<StartedPayment> =>
      startPayment(ctx, { ...anOrder, sellerId, buyerId, ...order }),
    /** Settles as the buyer, unless `claim` names another caller; `by` is the context. */
    settle: (trackingId: string, claim: Partial<PresentedPayment> = {}, by = ctx): Promise<PaymentOutcome> =>
      settlePayment(by, { trackingId, kind: 'vod', itemId: anOrder.itemId, buyerId, ...claim }),
    /** The context of another process, which shares only the database. */
    otherProcess: openProcess,
    grants: async (id: string): Promise<number> =>
      (await one<number>('SELECT count(*) AS value FROM granted WHERE tracking_id = $trackingId', id)) ?? 0,
    stateOf: (id: string) => one<string>('SELECT state AS value FROM payments WHERE tracking_id = $trackingId', id),
    /** Ends the lease of every payment, as after the crash of its owner. */
    async expireLeases(): Promise<void> {
      await ctx.db.change(
        `UPDATE payments SET lease_until = now() - interval '1 second' WHERE lease_until IS NOT NULL`,
      );
    },
    /** Called by each grant before it grants. */
    beforeGrant: async (): Promise<void> => {},
    close: (): Promise<void> => opened.close(),
  };
  return harness;
}

const anOrder = {
  kind: 'vod',
  itemId: '6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20',
  amountCents: 999,
  title: 'A video',
  terms: { price: 999 },
  returnUrl: 'https://shop.example/paid?order=1&back=%2F#top',
  cancelUrl: 'https://shop.example/cancelled?order=1',
} as const;
