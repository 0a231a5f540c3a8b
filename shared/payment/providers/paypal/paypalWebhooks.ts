import type { PaymentProvider, WebhookHeaders } from '../provider.js';
import type { PaypalCall, PaypalOptions } from './paypalClient.js';
import { readPaypalEvent } from './paypalEvents.js';
import { ProviderRejection, singleHeader, webhookToleranceSeconds } from '../providerCalls.js';

/**
 * Reads PayPal's webhooks. The signature is verified with PayPal's postback: PayPal confirms that it has signed the event. No
 * certificate is fetched from an address in the request, and renewed certificates need no change here. Checks that need no call run
 * first.
 */
export function createPaypalEventReader(
  { settings, now }: PaypalOptions,
  call: PaypalCall,
): PaymentProvider['readEvent'] {
  return async (body, headers) => {
    const signed = signatureOf(headers);
    const event = parse(body);
    if (!signed || !event || !isRecent(signed.transmission_time, now())) return null;
    // The event is sent back byte for byte: its checksum is part of the signature.
    const members = JSON.stringify({ ...signed, webhook_id: settings.webhookId });
    const postback = `${members.slice(0, -1)},"webhook_event":${event.text}}`;
    return (await isConfirmed(call, postback)) ? readPaypalEvent(call, event.value) : null;
  };
}

const signatureHeaders = {
  auth_algo: 'paypal-auth-algo',
  cert_url: 'paypal-cert-url',
  transmission_id: 'paypal-transmission-id',
  transmission_sig: 'paypal-transmission-sig',
  transmission_time: 'paypal-transmission-time',
} as const;

type Signature = Readonly<Record<keyof typeof signatureHeaders, string>>;

function signatureOf(headers: WebhookHeaders): Signature | null {
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

async function isConfirmed(call: PaypalCall, postback: string): Promise<boolean> {
  try {
    const { result } = await call('verify webhook', (client, abortSignal) => {
      const request = client.getRequestBuilderFactory()('POST', '/v1/notifications/verify-webhook-signature');
      request.header('Content-Type', 'application/json');
      request.text(postback);
      request.authenticate([{ oauth2: true }]);
      return request.callAsText({ abortSignal });
    });
    return (JSON.parse(result) as { verification_status?: unknown }).verification_status === 'SUCCESS';
  } catch (error) {
    // Malformed members: the event is not from PayPal.
    if (error instanceof ProviderRejection) return false;
    throw error;
  }
}
