import type { webhooks } from './operations.js';

type Body<Type extends keyof webhooks> =
  webhooks[Type]['post']['requestBody']['content']['application/json;charset=UTF-8'];

/** An event of a webhook: `event.type` determines the type of `event.data`. */
export type VideoEvent = { [Type in keyof webhooks]: Body<Type> }[keyof webhooks];

export interface SignedRequest {
  /** Secret of the webhook: `whsec_` and Base64. */
  readonly secret: string;
  /** Headers of the request: from `fetch`, from Node, or an object with names in lower case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Body of the request as it was received, unchanged. */
  readonly body: string;
  /** Maximum difference between `webhook-timestamp` and now. Default: 5 minutes. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970. Default: now. */
  readonly now?: number | undefined;
}

/** The signature of a webhook request is missing or invalid, or the request is too old. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError';
}

/**
 * Verifies a request (Standard Webhooks), and resolves with its event. An event may be delivered more than once, with the same
 * `id`. Throws WebhookSignatureError.
 */
export async function verifyWebhook(request: SignedRequest): Promise<VideoEvent> {
  const { secret, body, toleranceSeconds = 300, now = Date.now() } = request;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(request, name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookSignatureError('a signature header is missing');
  const ageSeconds = now / 1000 - Number(timestamp);
  if (!(Math.abs(ageSeconds) <= toleranceSeconds))
    throw new WebhookSignatureError('the timestamp is outside of the tolerance');
  const hash = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), hash, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(' '))
    if (signature.startsWith('v1,') && (await crypto.subtle.verify('HMAC', key, bytesOf(signature.slice(3)), signed)))
      return JSON.parse(body) as VideoEvent;
  throw new WebhookSignatureError('no signature matches');
}

function headerOf({ headers }: SignedRequest, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
  } catch {
    throw new WebhookSignatureError('not valid Base64');
  }
}
