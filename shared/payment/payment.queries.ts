import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { isUuid } from '../platform/formats/format.js';
import { Payment } from './payment.model.js';
import type { PaidPayment } from './purchase.js';

/** Null if there is none. */
export function findPayment(ctx: Context, trackingId: string): Promise<Payment | null> {
  return ctx.db.model(Payment).findByPk(trackingId);
}

/** By the id that jobs and logs use. Null when there is none. */
export function findPaymentById(ctx: Context, id: string): Promise<Payment | null> {
  return ctx.db.model(Payment).findOne({ where: { id } });
}

/** By any id: tracking id, id in the log, the provider's id of the order or of the capture. */
export async function findPaymentByAnyId(ctx: Context, anyId: string): Promise<Payment | undefined> {
  const [payment] = await ctx.db.rows<Payment>(
    `SELECT * FROM payments
      WHERE tracking_id = $uuid::uuid OR id = $uuid::uuid OR provider_reference = $anyId OR capture_id = $anyId
      ORDER BY created_at LIMIT 1`,
    { anyId, uuid: isUuid(anyId) ? anyId : null },
  );
  return payment;
}

/** All payments for an item, in the order in which they were started. */
export async function paymentsFor(
  ctx: Context,
  { kind, itemId }: Pick<PaidPayment, 'kind' | 'itemId'>,
): Promise<Payment[]> {
  return ctx.db.model(Payment).findAll({ where: { kind, itemId }, order: ['createdAt', 'id'] });
}

/** A buyer's payments for one item that were not reversed, in the order of payment. */
export async function activePayments(
  ctx: Context,
  tx: Transaction,
  { buyerId, kind, itemId }: Pick<PaidPayment, 'buyerId' | 'kind' | 'itemId'>,
): Promise<{ readonly fulfilledAt: Date; readonly terms: PaidPayment['terms'] }[]> {
  if (buyerId === null) return [];
  const where = { buyerId, kind, itemId, state: 'FULFILLED' } as const;
  const attributes = ['fulfilledAt', 'terms'] as const;
  const rows = await ctx.db
    .model(Payment)
    .findAll({ where, attributes, order: ['fulfilledAt', 'id'], transaction: tx });
  return rows.flatMap(({ fulfilledAt, terms }) => (fulfilledAt ? [{ fulfilledAt, terms }] : []));
}
