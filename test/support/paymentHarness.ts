import { createPayments } from '../../shared/payment/createPayments.js';
import { divideSale } from '../../shared/ledger/divide.js';
import type {
  PaymentClaim,
  PaymentOrder,
  PaymentProvider,
  Payments,
  Purchase,
  StartedPayment,
} from '../../shared/platform/payments.js';
import { openTestContext, type TestContext } from './context.js';
import { createUser } from './users.js';

/** Payments of something that exists in tests alone: a grant is a row of the table `granted`. */
export interface PaymentHarness {
  /** Its payments are those of the bench, for jobs and pages too. */
  readonly ctx: TestContext;
  readonly payments: Payments;
  readonly sellerId: string;
  readonly buyerId: string;
  start(order?: Partial<PaymentOrder>): Promise<StartedPayment>;
  claimOf(trackingId: string, claim?: Partial<PaymentClaim>): PaymentClaim;
  /** Payments of another process: the same database, nothing else in common. */
  elsewhere(): Payments;
  grants(trackingId: string): Promise<number>;
  stateOf(trackingId: string): Promise<string | undefined>;
  /** What the next grants do before they grant. */
  beforeGrant: () => Promise<void>;
  close(): Promise<void>;
}

export async function openPaymentHarness(
  settings: Record<string, string> = {},
  /** Stands between us and the sandbox. */
  between: (sandbox: PaymentProvider) => PaymentProvider = (sandbox) => sandbox,
): Promise<PaymentHarness> {
  const opened = await openTestContext(settings);
  await opened.db.change('CREATE TABLE granted (tracking_id uuid NOT NULL REFERENCES payments (tracking_id))');
  const [sellerId, buyerId] = [await createUser(opened), await createUser(opened)];
  const purchase: Purchase = {
    kind: 'vod',
    async grant(ctx, tx, { trackingId, amountCents, sellerId: seller }) {
      await harness.beforeGrant();
      await ctx.db.change('INSERT INTO granted (tracking_id) VALUES ($trackingId)', { trackingId }, tx);
      return divideSale(amountCents, ctx.config.payments.platformBasisPoints, seller ?? '');
    },
    async revoke(ctx, tx, { trackingId }) {
      await ctx.db.change('DELETE FROM granted WHERE tracking_id = $trackingId', { trackingId }, tx);
    },
  };
  const make = (): TestContext => {
    const made: TestContext = {
      ...opened,
      payments: createPayments({ config: opened.config, context: () => made, purchases: [purchase], between }),
    };
    return made;
  };
  const ctx = make();
  const { payments } = ctx;
  const count = async (sql: string, trackingId: string): Promise<string | undefined> =>
    (await ctx.db.rows<{ found: string }>(sql, { trackingId }))[0]?.found;
  const harness: PaymentHarness = {
    ctx,
    payments,
    sellerId,
    buyerId,
    start: (order = {}) => payments.start({ ...anOrder, sellerId, buyerId, ...order }),
    claimOf: (trackingId, claim = {}) => ({ trackingId, kind: 'vod', itemId: anOrder.itemId, buyerId, ...claim }),
    elsewhere: () => make().payments,
    grants: async (id) =>
      Number(await count('SELECT count(*) AS found FROM granted WHERE tracking_id = $trackingId', id)),
    stateOf: (id) => count('SELECT state AS found FROM payments WHERE tracking_id = $trackingId', id),
    beforeGrant: async () => {},
    close: () => opened.close(),
  };
  return harness;
}

const anOrder = {
  kind: 'vod',
  itemId: '6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20',
  amountCents: 999,
  title: 'A film',
  terms: { price: 999 },
  returnUrl: 'https://shop.example/paid?order=1&back=%2F#top',
  cancelUrl: 'https://shop.example/cancelled?order=1',
} as const;
