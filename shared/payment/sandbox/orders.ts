import { randomUUID } from 'node:crypto';
import type { Context } from '../../platform/context.js';
import { isUuid } from '../../platform/formats/format.js';
import type { ProviderOrder } from '../../platform/payments.js';

/**
 * What the sandbox does once the buyer has paid; all but the first are what goes wrong with real providers.
 * `LATE`: the money comes only when the order has long expired. `DOUBLE`: every capture is asked for twice at once.
 * `WRONG_AMOUNT`: a cent less is captured. `LOST_ANSWER`: the capture is made, and its answer lost. `SLOW_ANSWER`: the
 * capture is made, and its answer takes its time.
 */
export const sandboxBehaviours = ['PLAIN', 'LATE', 'DOUBLE', 'WRONG_AMOUNT', 'LOST_ANSWER', 'SLOW_ANSWER'] as const;
export type SandboxBehaviour = (typeof sandboxBehaviours)[number];

/** A row of `sandbox_orders`: the books of a provider that knows nothing of us but what it was told. */
export interface SandboxOrder {
  readonly reference: string;
  readonly title: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  /** `OPEN` and past its time: nobody can pay any more. */
  readonly state: 'OPEN' | 'APPROVED' | 'CAPTURED' | 'REFUNDED' | 'REJECTED';
  readonly behaviour: SandboxBehaviour;
  readonly captureId: string | null;
  readonly capturedCents: number | null;
  readonly expiresAt: Date;
  /** Money of an approved order comes then; null: at once. */
  readonly payableAt: Date | null;
}

type Row = Omit<SandboxOrder, 'amountCents' | 'capturedCents'> & {
  readonly amountCents: string;
  readonly capturedCents: string | null;
};

const columns = `reference, title, amount_cents, currency, return_url,
  cancel_url, state, behaviour, capture_id, captured_cents,
  expires_at, payable_at`;

/** How long a buyer's money takes who pays later. */
export const laterSeconds = 60;
/** So long after the end of its order comes money that is late. */
const tooLateMs = 30 * 60_000;

/** Takes an order once for each idempotency key; resolves with its reference. */
export async function createOrder(ctx: Context, order: ProviderOrder): Promise<string> {
  const { trackingId, title, amountCents, currency, returnUrl, cancelUrl, expiresAt } = order;
  const bind = { trackingId, title, amountCents, currency, returnUrl, cancelUrl, expiresAt };
  await ctx.db.change(
    `INSERT INTO sandbox_orders (reference, idempotency_key, title, amount_cents, currency, return_url, cancel_url,
                                 state, created_at, expires_at)
     VALUES ($reference, $trackingId, $title, $amountCents, $currency, $returnUrl, $cancelUrl, 'OPEN', $now, $expiresAt)
     ON CONFLICT (idempotency_key) DO NOTHING`,
    { ...bind, reference: randomUUID(), now: ctx.clock.now() },
  );
  const [created] = await ctx.db.rows<{ reference: string }>(
    'SELECT reference FROM sandbox_orders WHERE idempotency_key = $trackingId',
    { trackingId },
  );
  if (!created) throw new Error('the sandbox has lost an order');
  return created.reference;
}

export async function findOrder(ctx: Context, reference: string): Promise<SandboxOrder | undefined> {
  if (!isUuid(reference)) return undefined;
  const [row] = await ctx.db.rows<Row>(`SELECT ${columns} FROM sandbox_orders WHERE reference = $reference`, {
    reference,
  });
  return row && orderOf(row);
}

/** The buyer pays. Done twice, or on an order that is over, it changes nothing; resolves with whether it did. */
export async function approveOrder(
  ctx: Context,
  order: SandboxOrder,
  choice: { readonly behaviour: SandboxBehaviour; readonly later: boolean },
): Promise<boolean> {
  const now = ctx.clock.now();
  const approved = await ctx.db.change(
    `UPDATE sandbox_orders SET state = 'APPROVED', behaviour = $behaviour, payable_at = $payableAt
      WHERE reference = $reference AND state = 'OPEN' AND expires_at > $now`,
    { reference: order.reference, behaviour: choice.behaviour, payableAt: payableAt(order, choice, now), now },
  );
  return approved === 1;
}

/** The buyer turns away for good. */
export async function rejectOrder(ctx: Context, { reference }: SandboxOrder): Promise<boolean> {
  const rejected = await ctx.db.change(
    `UPDATE sandbox_orders SET state = 'REJECTED' WHERE reference = $reference AND state = 'OPEN' AND expires_at > $now`,
    { reference, now: ctx.clock.now() },
  );
  return rejected === 1;
}

/** Takes the money of an approved order, once; resolves with whether it was this call that did. */
export async function captureOrder(ctx: Context, { reference }: SandboxOrder): Promise<boolean> {
  const captured = await ctx.db.change(
    `UPDATE sandbox_orders
        SET state = 'CAPTURED', captures = captures + 1, capture_id = $captureId,
            captured_cents = amount_cents - CASE WHEN behaviour = 'WRONG_AMOUNT' THEN 1 ELSE 0 END
      WHERE reference = $reference AND state = 'APPROVED' AND (payable_at IS NULL OR payable_at <= $now)`,
    { reference, captureId: randomUUID(), now: ctx.clock.now() },
  );
  return captured === 1;
}

/** Sends all the money of an order back to its buyer; resolves with whether it was this call that did. */
export async function refundOrder(ctx: Context, { reference }: SandboxOrder): Promise<boolean> {
  const refunded = await ctx.db.change(
    `UPDATE sandbox_orders SET state = 'REFUNDED' WHERE reference = $reference AND state = 'CAPTURED'`,
    { reference },
  );
  return refunded === 1;
}

function payableAt(
  { expiresAt }: SandboxOrder,
  { behaviour, later }: { readonly behaviour: SandboxBehaviour; readonly later: boolean },
  now: Date,
): Date | null {
  if (behaviour === 'LATE') return new Date(expiresAt.getTime() + tooLateMs);
  return later ? new Date(now.getTime() + laterSeconds * 1000) : null;
}

function orderOf(row: Row): SandboxOrder {
  return {
    ...row,
    amountCents: Number(row.amountCents),
    capturedCents: row.capturedCents === null ? null : Number(row.capturedCents),
  };
}
