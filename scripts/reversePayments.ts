import type { Context } from '../shared/platform/context.js';
import { postingsOf } from '../shared/ledger/posting.js';
import { reversePayment } from '../shared/payment/payment.lifecycle.js';
import type { Payment } from '../shared/payment/payment.model.js';
import { findPaymentByAnyId } from '../shared/payment/payment.queries.js';
import { formatPrice } from '../shared/platform/formats/format.js';
import { refundEvent } from './refundEvent.js';

const usage = `npm run reverse -- <id> [--yes]
Reverses a payment that the provider has refunded to the buyer: its grant ends, and its ledger postings are
reversed. The id is the payment's id in the log, its tracking id, or the provider's id of the order or the capture.
Without --yes it only prints what would be reversed.

npm run reverse -- --event <id> [--yes]
Refunds all payments for a live event: each payment is refunded at the provider and then reversed. Without --yes it only
prints the payments. After a crash or an error, run it again: no payment is refunded twice.
`;

/** Reverses a payment, or prints it without `--yes`. Resolves with the exit code. */
export async function reverse(
  ctx: Context,
  parameters: readonly string[],
  output: NodeJS.WriteStream,
): Promise<number> {
  const [name, ...more] = parameters.filter((one) => one !== '--yes');
  const isConfirmed = parameters.includes('--yes');
  const [eventId] = more;
  if (name === '--event' && eventId !== undefined && more.length === 1)
    return refundEvent(ctx, eventId, isConfirmed, output);
  if (name === undefined || name === '--event' || more.length > 0) {
    output.write(usage);
    return 1;
  }
  const payment = await findPaymentByAnyId(ctx, name);
  if (!payment) {
    output.write(`There is no payment ${name}.\n`);
    return 1;
  }
  output.write(await describe(ctx, payment));
  if (payment.state !== 'FULFILLED' && payment.state !== 'FAILED') {
    output.write(payment.state === 'REVERSED' ? 'It has already been reversed.\n' : 'It was not paid.\n');
    return 1;
  }
  if (!isConfirmed) {
    output.write('Nothing was changed. With --yes the payment is reversed.\n');
    return 0;
  }
  const done = await reversePayment(ctx, payment.trackingId);
  output.write(
    done ? 'Reversed: its grant has ended, and its postings are reversed.\n' : 'Another process has reversed it.\n',
  );
  return done ? 0 : 1;
}

/**
 * Prints the payment, its buyer, and the users who have earned from it. The tracking id is not printed: it may be the buyer's only
 * proof.
 */
async function describe(ctx: Context, payment: Payment): Promise<string> {
  const { id, kind, title, amountCents, currency, provider, providerReference, state, buyerId } = payment;
  const lines = await postingsOf(ctx, payment.trackingId);
  const codes = await userCodes(ctx, [buyerId, ...lines.map(({ userId }) => userId)]);
  const rows: readonly (readonly [string, string])[] = [
    ['payment', `${id}, ${state}`],
    ['for', `${kind} “${title}”, ${formatPrice(amountCents)} ${currency}`],
    ['buyer', buyerId === null ? 'without an account' : codes(buyerId)],
    ['provider', `${provider}, order ${providerReference ?? 'none'}`],
    ...lines.map(({ account, userId, cents }): [string, string] => [
      'posted',
      `${formatPrice(cents).padStart(12)}  ${userId === null ? account : codes(userId)}`,
    ]),
  ];
  return rows.map(([label, text]) => `${label.padEnd(10)}${text}\n`).join('');
}

async function userCodes(ctx: Context, ids: readonly (string | null)[]): Promise<(id: string) => string> {
  const users = await ctx.db.rows<{ id: string; code: string }>(
    'SELECT id, user_code AS code FROM users WHERE id = ANY ($ids::uuid[])',
    { ids: ids.filter((id) => id !== null) },
  );
  const codes = new Map(users.map(({ id, code }) => [id, code]));
  return (id) => codes.get(id) ?? id;
}
