import { UnavailableError } from '../../platform/errors.js';
import type { WebhookHeaders } from './provider.js';

/** Timeout of one HTTP call to a provider. */
export const callTimeoutMs = 10_000;

/** Timeout of one operation of a provider, which may make several calls. */
export const providerTimeoutMs = 15_000;

/** Maximum age of a webhook's signature, as both providers recommend. */
export const webhookToleranceSeconds = 300;

/**
 * The error for a provider that does not respond, responds with something unexpected, or rejects the service's credentials. The
 * caller may retry. `detail` is for the log and never an SDK's message: errors of the SDKs contain requests with credentials, and
 * are neither logged nor attached as a cause.
 */
export function providerUnavailable(detail: string): UnavailableError {
  return new UnavailableError({ key: 'payment.providerAway', detail });
}

/** The provider rejects a valid request; the meaning depends on the request. */
export class ProviderRejection extends Error {
  constructor(
    readonly status: number,
    /** The provider's error code; empty if it gave none. */
    readonly reason: string,
    detail: string,
  ) {
    super(detail);
    this.name = 'ProviderRejection';
  }
}

/** Cuts a title to the provider's maximum length (in UTF-16 units), between characters. */
export function shortTitle(title: string, maxLength: number): string {
  if (title.length <= maxLength) return title;
  let short = '';
  for (const character of title) {
    if (short.length + character.length >= maxLength) break;
    short += character;
  }
  return `${short}…`;
}

/** The value of a header; null if it is missing, repeated or empty. */
export function singleHeader(headers: WebhookHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
