import type { Config } from '../../shared/platform/config.js';
import { isUuid } from '../../shared/platform/formats/format.js';
import type { Context } from '../../shared/platform/context.js';
import { approveOrder, findOrder, rejectOrder } from '../../shared/payment/providers/sandbox/sandboxOrders.js';
import type { ProviderEvent } from '../../shared/payment/providers/provider.js';
import { signatureHeader, signatureOf } from '../../shared/payment/providers/sandbox/sandbox.js';
import { SandboxOrder, type SandboxBehaviour } from '../../shared/payment/providers/sandbox/sandbox.model.js';
import { LedgerPosting, LedgerTransaction } from '../../shared/ledger/ledger.model.js';
import { findPayment } from '../../shared/payment/payment.queries.js';
import { storedRows } from './rows.js';

/** A valid body for starting a payment. */
export const back = { returnUrl: 'https://shop.example/back', cancelUrl: 'https://shop.example/away' };

/**
 * Pays on the sandbox's page as the buyer; the service has not verified it yet. `tracking`: the tracking id or the URL of
 * the page. Throws if the order cannot be paid.
 */
export async function payInSandbox(
  ctx: Context,
  tracking: string,
  behaviour: SandboxBehaviour | 'LATER' = 'PLAIN',
): Promise<void> {
  const order = await orderOf(ctx, tracking);
  const choice = behaviour === 'LATER' ? ({ behaviour: 'PLAIN', later: true } as const) : { behaviour, later: false };
  if (!(await approveOrder(ctx, order, choice))) throw new Error('the sandbox order is not open');
}

/** Cancels as the buyer. */
export async function rejectInSandbox(ctx: Context, tracking: string): Promise<void> {
  if (!(await rejectOrder(ctx, await orderOf(ctx, tracking)))) throw new Error('the sandbox order is not open');
}

/** The number of the sandbox's captures of a payment. */
export async function capturesOf(ctx: Context, trackingId: string): Promise<number> {
  const [row] = await storedRows(ctx, SandboxOrder, { idempotencyKey: trackingId });
  return row?.captures ?? 0;
}

/** The postings of a payment's sale: credits are negative, and come first. */
export async function postingsOf(ctx: Context, trackingId: string) {
  const entries = await storedRows(ctx, LedgerTransaction, { trackingId });
  const postings = await storedRows(ctx, LedgerPosting, { transactionId: entries.map(({ id }) => id) });
  return postings.toSorted((one, other) => one.amountCents - other.amountCents);
}

/** The same as account and cents: `CLEARING 999`. */
export async function postedTo(ctx: Context, trackingId: string): Promise<string[]> {
  return (await postingsOf(ctx, trackingId)).map(({ account, amountCents }) => `${account} ${amountCents}`);
}

async function orderOf(ctx: Context, tracking: string) {
  const order = await findOrder(ctx, await referenceOf(ctx, tracking));
  if (!order) throw new Error('unknown sandbox order');
  return order;
}

/** The reference of an order, by the tracking id or by the URL of its page, which ends with it. */
export async function referenceOf(ctx: Context, tracking: string): Promise<string> {
  if (!isUuid(tracking)) return tracking.split('/').at(-1) ?? '';
  return (await findPayment(ctx, tracking))?.providerReference ?? '';
}

/** A webhook event about a sandbox order, with its signature headers. */
export function sandboxEvent(
  { encryptionKey }: Config,
  event: ProviderEvent,
): { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> } {
  const body = Buffer.from(JSON.stringify(event));
  return { body, headers: { [signatureHeader]: signatureOf(encryptionKey, body) } };
}
