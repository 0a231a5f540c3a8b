import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sameSecret } from '../../../platform/security/passwords.js';
import {
  reversalEvents,
  type PaymentProvider,
  type ProviderContext,
  type ProviderEvent,
  type ProviderState,
} from '../provider.js';
import { captureOrder, createOrder, findOrder, refundOrder } from './sandboxOrders.js';
import type { SandboxOrder } from './sandbox.model.js';

/** Shorter than the timeout of a call, and long enough for a crash test to kill the process meanwhile. */
const slowResponseMs = 8_000;
export const signatureHeader = 'x-sandbox-signature';

/**
 * The built-in provider, for installations without another. The sandbox is as separate as a real provider: nothing else reads
 * its table. It captures on `verify` after the buyer has approved, and it can simulate the faults of real providers.
 */
export function openSandbox(ctx: ProviderContext): PaymentProvider {
  return {
    name: 'sandbox',
    async create(order) {
      const reference = await createOrder(ctx, order);
      return { reference, url: `${ctx.config.service.publicUrl}/sandbox/checkout/${reference}` };
    },
    async verify(reference, _trackingId, mayCapture = true) {
      const order = await findOrder(ctx, reference);
      if (!order) throw new Error('unknown sandbox order');
      if (mayCapture && order.state === 'APPROVED') await capture(ctx, order);
      return stateOf(ctx, (await findOrder(ctx, reference)) ?? order, mayCapture);
    },
    async refund({ reference }) {
      const order = await findOrder(ctx, reference);
      if (!order) throw new Error('unknown sandbox order');
      await refundOrder(ctx, order);
    },
    async readEvent(body, headers) {
      const signature = headers[signatureHeader];
      const isGenuine =
        typeof signature === 'string' && sameSecret(signature, signatureOf(ctx.config.encryptionKey, body));
      return isGenuine ? eventOf(body) : null;
    },
  };
}

/** Captures once; simulated faults follow the capture. */
async function capture(ctx: ProviderContext, order: SandboxOrder): Promise<void> {
  const requests = order.behaviour === 'DOUBLE' ? 2 : 1;
  const captures = await Promise.all(Array.from({ length: requests }, () => captureOrder(ctx, order)));
  if (!captures.includes(true)) return;
  if (order.behaviour === 'LOST_ANSWER') throw new Error('simulated: captured, response lost');
  if (order.behaviour === 'SLOW_ANSWER') await sleep(slowResponseMs);
}

function stateOf(ctx: ProviderContext, order: SandboxOrder, mayCapture: boolean): ProviderState {
  const { captureId, capturedCents, currency } = order;
  switch (order.state) {
    case 'CAPTURED':
      if (captureId === null || capturedCents === null) throw new Error('a captured order has no amount');
      return { state: 'CAPTURED', captureId, amountCents: capturedCents, currency };
    case 'REFUNDED':
      if (captureId === null) throw new Error('a refunded order has no capture');
      return { state: 'RETURNED', captureId };
    case 'REJECTED':
      return { state: 'REJECTED' };
    case 'APPROVED':
      // A provider does not know of late money, and money that may not be captured never arrives.
      return { state: order.behaviour === 'LATE' || !mayCapture ? 'OPEN' : 'PROCESSING' };
    case 'OPEN':
      return { state: ctx.clock.now() < order.expiresAt ? 'OPEN' : 'EXPIRED' };
  }
}

/** Signature of a webhook event's body. */
export function signatureOf(key: string, body: Buffer): string {
  return createHmac('sha256', Buffer.from(key, 'hex')).update('sandbox event\n').update(body).digest('hex');
}

function eventOf(body: Buffer): ProviderEvent | null {
  const { id, reference, reversal: reported } = JSON.parse(body.toString('utf8')) as Partial<Record<string, unknown>>;
  if (typeof id !== 'string' || (typeof reference !== 'string' && reference !== null)) return null;
  const reversal = reversalEvents.find((known) => known === reported);
  return { id, reference, ...(reversal ? { reversal } : {}) };
}
