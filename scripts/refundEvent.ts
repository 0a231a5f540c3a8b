import type { Context } from '../shared/platform/context.js';
import type { Payment } from '../shared/payment/payment.model.js';
import { paymentsFor } from '../shared/payment/payment.queries.js';
import { isRefundable, refundPayment } from '../shared/payment/refund.service.js';
import { eventsNeverOnAir } from '../shared/live/broadcast.queries.js';
import { formatPrice } from '../shared/platform/formats/format.js';

/**
 * Refunds all payments for a live event, or prints what would be refunded. Each payment is refunded at the provider and then
 * reversed. A run after a crash continues: refunded payments are not refunded again, and reversed payments are skipped. Resolves
 * with the exit code, 0 if all payments are refunded.
 */
export async function refundEvent(
  ctx: Context,
  eventId: string,
  isConfirmed: boolean,
  output: NodeJS.WriteStream,
): Promise<number> {
  const payments = await paymentsFor(ctx, { kind: 'liveEvent', itemId: eventId.toLowerCase() });
  const [first] = payments;
  if (!first) {
    output.write(`There are no payments for a live event ${eventId}.\n`);
    return 1;
  }
  const due = payments.filter(isRefundable);
  const neverOnAir = (await eventsNeverOnAir(ctx, [first.itemId])).size > 0;
  output.write(`event     ${first.itemId} “${first.title}”${neverOnAir ? ', never on air' : ''}\n`);
  for (const payment of due) output.write(lineOf(payment, payment.state));
  output.write(`sum       ${sumOf(due)} of ${due.length} payments\n`);
  if (due.length > 0 && !isConfirmed) output.write('Nothing was changed. With --yes all of it is refunded.\n');
  if (due.length > 0 && isConfirmed && !(await refundAll(ctx, due, output))) return 1;
  return endOf(payments, output);
}

/** Resolves with whether the provider has returned all money. */
async function refundAll(ctx: Context, due: readonly Payment[], output: NodeJS.WriteStream): Promise<boolean> {
  let left = 0;
  for (const payment of due) {
    const outcome = await refundPayment(ctx, payment).catch((error: unknown) => {
      ctx.log.error({ err: error, payment: payment.id }, 'refund failed');
      return 'NOT REFUNDED';
    });
    if (outcome !== 'REVERSED') left += 1;
    output.write(lineOf(payment, outcome === 'REVERSED' ? 'refunded' : outcome));
  }
  if (left > 0) output.write(`${left} of ${due.length} payments are not refunded yet: run the command again.\n`);
  return left === 0;
}

/** Money may still arrive for open payments. */
function endOf(payments: readonly Payment[], output: NodeJS.WriteStream): number {
  const open = payments.filter(({ state }) => state === 'CREATED' || state === 'OPEN').length;
  if (open > 0) output.write(`${open} payments are still open: run the command again when they have ended.\n`);
  return 0;
}

/** The tracking id is not printed: it may be the buyer's only proof. */
function lineOf({ id, amountCents, currency }: Payment, text: string): string {
  return `payment   ${id} ${formatPrice(amountCents).padStart(12)} ${currency}  ${text}\n`;
}

/** The sum by currency: the service's currency may have changed between two payments. */
function sumOf(payments: readonly Payment[]): string {
  const sums = new Map<string, number>();
  for (const { currency, amountCents } of payments) sums.set(currency, (sums.get(currency) ?? 0) + amountCents);
  const texts = [...sums].map(([currency, cents]) => `${formatPrice(cents)} ${currency}`);
  return texts.length === 0 ? formatPrice(0) : texts.join(', ');
}
