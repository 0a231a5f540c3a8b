import type { OpenContext } from '../shared/context.js';
import { linesOf } from '../shared/ledger/posting.js';
import { findPaymentNamed, type Payment } from '../shared/payment/payment.row.js';
import { formatPrice } from '../shared/platform/formats/format.js';
import { runOnService } from './onService.js';

const usage = `npm run reverse -- <id> [--yes]
Takes back a payment whose money was sent back to its buyer at the provider: what it has granted ends, and what was
posted for it is posted the other way round. The id is that of the payment in our log, its tracking id, or the
provider's id of the order or of the capture. Without --yes it only says what would be done.
`;

/** Takes back a payment, or says what that would do. Resolves with the exit code. */
export async function reverse(
  ctx: OpenContext,
  parameters: readonly string[],
  output: NodeJS.WriteStream,
): Promise<number> {
  const [name, ...more] = parameters.filter((one) => one !== '--yes');
  if (name === undefined || more.length > 0) {
    output.write(usage);
    return 1;
  }
  const payment = await findPaymentNamed(ctx, name);
  if (!payment) {
    output.write(`There is no payment ${name}.\n`);
    return 1;
  }
  output.write(await describe(ctx, payment));
  if (payment.state !== 'FULFILLED' && payment.state !== 'FAILED') {
    output.write(payment.state === 'REVERSED' ? 'It has been taken back before.\n' : 'No money was taken for it.\n');
    return 1;
  }
  if (!parameters.includes('--yes')) {
    output.write('Nothing was changed. With --yes the payment is taken back.\n');
    return 0;
  }
  const done = await ctx.payments.reverse(payment.trackingId);
  output.write(done ? 'Taken back: what was granted has ended, and the books say so.\n' : 'Somebody else was first.\n');
  return done ? 0 : 1;
}

/** What was paid by whom for what, and who has earned of it. The tracking id may be all that a buyer has: it is not shown. */
async function describe(ctx: OpenContext, payment: Payment): Promise<string> {
  const { id, kind, title, amountCents, currency, provider, reference, state, buyerId } = payment;
  const lines = await linesOf(ctx, payment.trackingId);
  const codes = await userCodes(ctx, [buyerId, ...lines.map(({ userId }) => userId)]);
  const rows: readonly (readonly [string, string])[] = [
    ['payment', `${id}, ${state}`],
    ['for', `${kind} “${title}”, ${formatPrice(amountCents)} ${currency}`],
    ['buyer', buyerId === null ? 'nobody who was logged in' : codes(buyerId)],
    ['provider', `${provider}, order ${reference ?? 'none'}`],
    ...lines.map(({ account, userId, cents }): [string, string] => [
      'posted',
      `${formatPrice(cents).padStart(12)}  ${userId === null ? account : codes(userId)}`,
    ]),
  ];
  return rows.map(([label, text]) => `${label.padEnd(10)}${text}\n`).join('');
}

async function userCodes(ctx: OpenContext, ids: readonly (string | null)[]): Promise<(id: string) => string> {
  const users = await ctx.db.rows<{ id: string; code: string }>(
    'SELECT id, user_code AS code FROM users WHERE id = ANY ($ids::uuid[])',
    { ids: ids.filter((id) => id !== null) },
  );
  const codes = new Map(users.map(({ id, code }) => [id, code]));
  return (id) => codes.get(id) ?? id;
}

await runOnService(import.meta, reverse);
