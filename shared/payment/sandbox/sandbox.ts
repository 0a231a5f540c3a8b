import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../platform/context.js';
import { sameSecret } from '../../platform/security/passwords.js';
import { moneyBack, type PaymentProvider, type ProviderEvent, type ProviderState } from '../../platform/payments.js';
import { captureOrder, createOrder, findOrder, type SandboxOrder } from './orders.js';

/** Under the patience of whoever asks, and long enough to be met in the middle. */
const slowResponseMs = 8_000;
const signatureHeader = 'x-sandbox-signature';

/**
 * A provider of our own, for everybody who has no other yet. It is as separate as a real one: its books are a table
 * that nothing else reads, it captures when it is asked what has become of an order the buyer has approved, and it can
 * do what goes wrong with real ones.
 */
export function createSandboxProvider(given: {
  readonly context: () => Context;
  readonly publicUrl: string;
}): PaymentProvider {
  return {
    name: 'sandbox',
    async create(order) {
      const reference = await createOrder(given.context(), order);
      return { reference, url: `${given.publicUrl}/sandbox/checkout/${reference}` };
    },
    async verify(reference) {
      return verifyOrder(given.context(), reference);
    },
    async readEvent(body, headers) {
      const signature = headers[signatureHeader];
      const isGenuine =
        typeof signature === 'string' && sameSecret(signature, signatureOf(given.context().config.encryptionKey, body));
      return isGenuine ? eventOf(body) : null;
    },
  };
}

async function verifyOrder(ctx: Context, reference: string): Promise<ProviderState> {
  const order = await findOrder(ctx, reference);
  if (!order) throw new Error('the sandbox knows no such order');
  if (order.state === 'APPROVED') await capture(ctx, order);
  return stateOf(ctx, (await findOrder(ctx, reference)) ?? order);
}

/** Sees to it that money is taken once; what goes wrong goes wrong after that. */
async function capture(ctx: Context, order: SandboxOrder): Promise<void> {
  const requests = order.behaviour === 'DOUBLE' ? 2 : 1;
  const captures = await Promise.all(Array.from({ length: requests }, () => captureOrder(ctx, order)));
  if (!captures.includes(true)) return;
  if (order.behaviour === 'LOST_ANSWER') throw new Error('the sandbox has captured, and says nothing');
  if (order.behaviour === 'SLOW_ANSWER') await sleep(slowResponseMs);
}

function stateOf(ctx: Context, order: SandboxOrder): ProviderState {
  const { captureId, capturedCents, currency } = order;
  switch (order.state) {
    case 'CAPTURED':
      if (captureId === null || capturedCents === null) throw new Error('a capture without money');
      return { state: 'CAPTURED', captureId, amountCents: capturedCents, currency };
    case 'REFUNDED':
      if (captureId === null) throw new Error('a refund without a capture');
      return { state: 'RETURNED', captureId };
    case 'REJECTED':
      return { state: 'REJECTED' };
    case 'APPROVED':
      // Of money that will be late nobody knows anything yet.
      return { state: order.behaviour === 'LATE' ? 'OPEN' : 'PROCESSING' };
    case 'OPEN':
      return { state: ctx.clock.now() < order.expiresAt ? 'OPEN' : 'EXPIRED' };
  }
}

/** What the sandbox would say of an order by itself, with the headers that prove it. */
export function sandboxEvent(
  { encryptionKey }: Context['config'],
  event: ProviderEvent,
): { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> } {
  const body = Buffer.from(JSON.stringify(event));
  return { body, headers: { [signatureHeader]: signatureOf(encryptionKey, body) } };
}

function signatureOf(key: string, body: Buffer): string {
  return createHmac('sha256', Buffer.from(key, 'hex')).update('sandbox event\n').update(body).digest('hex');
}

function eventOf(body: Buffer): ProviderEvent | null {
  const { id, reference, told } = JSON.parse(body.toString('utf8')) as Partial<Record<string, unknown>>;
  if (typeof id !== 'string' || (typeof reference !== 'string' && reference !== null)) return null;
  const word = moneyBack.find((one) => one === told);
  return { id, reference, ...(word ? { told: word } : {}) };
}
