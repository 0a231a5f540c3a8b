import { createSign, createVerify, generateKeyPairSync, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** An order in PayPal's format. */
export interface PaypalOrder {
  readonly id: string;
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED';
  readonly purchase_units: {
    readonly reference_id?: string;
    readonly custom_id?: string;
    readonly description?: string;
    readonly amount: { readonly currency_code: string; readonly value: string };
    payments?: { captures: PaypalCapture[] };
  }[];
  readonly payment_source: { readonly paypal: { readonly experience_context: Readonly<Record<string, string>> } };
}

interface PaypalCapture {
  readonly id: string;
  status: string;
  readonly amount: { readonly currency_code: string; readonly value: string };
  readonly custom_id?: string;
}

export interface SignedWebhook {
  readonly body: Buffer;
  readonly headers: Record<string, string>;
}

/** The subject of a PayPal webhook. */
export interface PaypalSubject {
  readonly kind?: 'order' | 'capture' | 'refund' | 'reversal' | 'dispute';
  /** Outcome of a dispute; absent while it is open. */
  readonly outcome?: string;
  /** Replaces the capture of the order. */
  readonly captureId?: string;
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The bytes of an event with its signature headers. */
export function signPaypalEvent(
  event: object,
  { url, webhookId, signedAt }: { readonly url: string; readonly webhookId: string; readonly signedAt: Date },
): SignedWebhook {
  // Unusual whitespace: code that serializes the event again gets another checksum.
  const body = Buffer.from(JSON.stringify(event, null, 1));
  const [transmission, time] = [randomUUID(), signedAt.toISOString()];
  const signed = `${transmission}|${time}|${webhookId}|${crc32(body)}`;
  const headers = {
    'content-type': 'application/json',
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': `${url}/v1/notifications/certs/CERT-1`,
    'paypal-transmission-id': transmission,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': createSign('SHA256').update(signed).sign(privateKey, 'base64'),
  };
  return { body, headers };
}

export function isSignedByPaypal(signed: string, signature: string): boolean {
  return createVerify('SHA256').update(signed).verify(publicKey, signature, 'base64');
}

/** The captures of an order. */
export function capturesIn({ purchase_units: [unit] }: PaypalOrder): PaypalCapture[] {
  return unit?.payments?.captures ?? [];
}

/** An event in PayPal's format; refunds, reversals and disputes name the capture, not the order. */
export function paypalEvent(order: PaypalOrder, shown: object, subject: PaypalSubject): object {
  const { kind = 'order', outcome } = subject;
  const [capture] = capturesIn(order);
  const captureId = subject.captureId ?? capture?.id ?? '';
  switch (kind) {
    case 'order':
      return { event_type: 'CHECKOUT.ORDER.APPROVED', resource_type: 'checkout-order', ...second, resource: shown };
    case 'capture': {
      const resource = { ...capture, supplementary_data: { related_ids: { order_id: order.id } } };
      return { event_type: 'PAYMENT.CAPTURE.COMPLETED', resource_type: 'capture', ...second, resource };
    }
    case 'refund':
    case 'reversal': {
      const links = [
        { href: 'https://api.paypal.com/v2/payments/refunds/1Y107995YT783435V', rel: 'self', method: 'GET' },
        { href: `https://api.paypal.com/v2/payments/captures/${captureId}`, rel: 'up', method: 'GET' },
      ];
      const resource = { id: '1Y107995YT783435V', status: 'COMPLETED', links };
      const type = kind === 'refund' ? 'REFUNDED' : 'REVERSED';
      return { event_type: `PAYMENT.CAPTURE.${type}`, resource_type: 'refund', ...second, resource };
    }
    case 'dispute': {
      const resource = {
        dispute_id: 'PP-000-042-663-135',
        disputed_transactions: [{ seller_transaction_id: captureId }],
        status: outcome ? 'RESOLVED' : 'OPEN',
        ...(outcome ? { dispute_outcome: { outcome_code: outcome } } : {}),
      };
      const type = outcome ? 'RESOLVED' : 'CREATED';
      return { event_type: `CUSTOMER.DISPUTE.${type}`, resource_type: 'dispute', resource };
    }
  }
}

const second = { resource_version: '2.0' };
