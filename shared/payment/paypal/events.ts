import type { PaymentProvider, ProviderEvent } from '../../platform/payments.js';
import type { PaypalAsk, PaypalOptions } from './client.js';
import { ProviderRefusal, singleHeader, webhookToleranceSeconds } from '../providerCalls.js';

const maximumIdLength = 200;

/**
 * Reads PayPal's webhooks. Of the two ways that PayPal documents to check a signature this is the postback: PayPal is
 * asked whether it has signed. Nothing is then fetched from an address that the caller names (the certificate), and
 * renewed certificates are PayPal's own business. What can be refused without asking is refused first.
 */
export function createPaypalEventReader(
  { settings, now }: PaypalOptions,
  ask: PaypalAsk,
): PaymentProvider['readEvent'] {
  return async (body, headers) => {
    const signed = signatureOf(headers);
    const event = parse(body);
    if (!signed || !event || !isRecent(signed.transmission_time, now())) return null;
    // The event goes back byte for byte: its checksum is part of what was signed.
    const members = JSON.stringify({ ...signed, webhook_id: settings.webhookId });
    const postback = `${members.slice(0, -1)},"webhook_event":${event.text}}`;
    return (await isConfirmed(ask, postback)) ? eventOf(event.value) : null;
  };
}

type Headers = Parameters<PaymentProvider['readEvent']>[1];

const signatureHeaders = {
  auth_algo: 'paypal-auth-algo',
  cert_url: 'paypal-cert-url',
  transmission_id: 'paypal-transmission-id',
  transmission_sig: 'paypal-transmission-sig',
  transmission_time: 'paypal-transmission-time',
} as const;

type Signature = Readonly<Record<keyof typeof signatureHeaders, string>>;

function signatureOf(headers: Headers): Signature | null {
  const entries = Object.entries(signatureHeaders).map(([member, name]) => [member, singleHeader(headers, name)]);
  return entries.every(([, value]) => value !== null) ? (Object.fromEntries(entries) as Signature) : null;
}

function isRecent(time: string, now: Date): boolean {
  return Math.abs(now.getTime() - Date.parse(time)) <= webhookToleranceSeconds * 1000;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(body: Buffer): { readonly text: string; readonly value: unknown } | null {
  try {
    const text = utf8.decode(body);
    return { text, value: JSON.parse(text) };
  } catch {
    return null;
  }
}

async function isConfirmed(ask: PaypalAsk, postback: string): Promise<boolean> {
  try {
    const { result } = await ask('verify webhook', (client, abortSignal) => {
      const request = client.getRequestBuilderFactory()('POST', '/v1/notifications/verify-webhook-signature');
      request.header('Content-Type', 'application/json');
      request.text(postback);
      request.authenticate([{ oauth2: true }]);
      return request.callAsText({ abortSignal });
    });
    return (JSON.parse(result) as { verification_status?: unknown }).verification_status === 'SUCCESS';
  } catch (error) {
    // Malformed members: PayPal has not written them.
    if (error instanceof ProviderRefusal) return false;
    throw error;
  }
}

/** What of PayPal's events concerns us: of orders, and of captures, which name the order they are of. */
interface PaypalEvent {
  readonly id?: unknown;
  readonly resource_type?: unknown;
  readonly resource?: {
    readonly id?: unknown;
    readonly supplementary_data?: { readonly related_ids?: { readonly order_id?: unknown } };
    readonly links?: readonly { readonly rel?: unknown; readonly href?: unknown }[];
  };
}

function eventOf(value: unknown): ProviderEvent | null {
  const { id, resource_type: type, resource } = (value ?? {}) as PaypalEvent;
  if (!isId(id)) return null;
  if (type === 'checkout-order') return { id, reference: isId(resource?.id) ? resource.id : null };
  if (type !== 'capture') return { id, reference: null };
  const order = resource?.supplementary_data?.related_ids?.order_id ?? orderAbove(resource);
  return { id, reference: isId(order) ? order : null };
}

/** Where a capture does not name its order, its link upwards does. */
function orderAbove(resource: PaypalEvent['resource']): string | undefined {
  const above = resource?.links?.find(({ rel }) => rel === 'up')?.href;
  return /\/v2\/checkout\/orders\/([^/?#]+)$/.exec(typeof above === 'string' ? above : '')?.[1];
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maximumIdLength;
}
