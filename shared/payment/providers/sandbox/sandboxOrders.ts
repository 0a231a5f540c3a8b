import { randomUUID } from 'node:crypto';
import type { ProviderContext, ProviderOrder } from '../provider.js';
import { SandboxOrder, type SandboxBehaviour } from './sandbox.model.js';

/** Delay of the money when the buyer chooses to pay later. */
export const laterSeconds = 60;
/** Delay of late money, after the expiry of its order. */
const lateMs = 30 * 60_000;

/** Creates an order once for each idempotency key; resolves with its reference. */
export async function createOrder(ctx: ProviderContext, order: ProviderOrder): Promise<string> {
  const { trackingId, title, amountCents, currency, returnUrl, cancelUrl, expiresAt } = order;
  const bind = { trackingId, title, amountCents, currency, returnUrl, cancelUrl, expiresAt };
  await ctx.db.change(
    `INSERT INTO sandbox_orders (reference, idempotency_key, title, amount_cents, currency, return_url, cancel_url,
                                 state, created_at, expires_at)
     VALUES ($reference, $trackingId, $title, $amountCents, $currency, $returnUrl, $cancelUrl, 'OPEN', $now, $expiresAt)
     ON CONFLICT (idempotency_key) DO NOTHING`,
    { ...bind, reference: randomUUID(), now: ctx.clock.now() },
  );
  const created = await ctx.db.model(SandboxOrder).findOne({ where: { idempotencyKey: trackingId } });
  if (!created) throw new Error('the sandbox order does not exist');
  return created.reference;
}

export async function findOrder(ctx: ProviderContext, reference: string): Promise<SandboxOrder | null> {
  return ctx.db.model(SandboxOrder).findByPk(reference);
}

/** The buyer pays. Idempotent: resolves with false for an order that is no longer open. */
export async function approveOrder(
  ctx: ProviderContext,
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

/** The buyer cancels. Idempotent: resolves with false for an order that is no longer open. */
export async function rejectOrder(ctx: ProviderContext, { reference }: SandboxOrder): Promise<boolean> {
  const rejected = await ctx.db.change(
    `UPDATE sandbox_orders SET state = 'REJECTED' WHERE reference = $reference AND state = 'OPEN' AND expires_at > $now`,
    { reference, now: ctx.clock.now() },
  );
  return rejected === 1;
}

/** Captures an approved order once; resolves with whether this call did it. */
export async function captureOrder(ctx: ProviderContext, { reference }: SandboxOrder): Promise<boolean> {
  const captured = await ctx.db.change(
    `UPDATE sandbox_orders
        SET state = 'CAPTURED', captures = captures + 1, capture_id = $captureId,
            captured_cents = amount_cents - CASE WHEN behaviour = 'WRONG_AMOUNT' THEN 1 ELSE 0 END
      WHERE reference = $reference AND state = 'APPROVED' AND (payable_at IS NULL OR payable_at <= $now)`,
    { reference, captureId: randomUUID(), now: ctx.clock.now() },
  );
  return captured === 1;
}

/** Refunds the full amount of a captured order; resolves with whether this call did it. */
export async function refundOrder(ctx: ProviderContext, { reference }: SandboxOrder): Promise<boolean> {
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
  if (behaviour === 'LATE') return new Date(expiresAt.getTime() + lateMs);
  return later ? new Date(now.getTime() + laterSeconds * 1000) : null;
}
