import { UnavailableError } from '../platform/errors.js';

/** No call of a provider takes longer. */
export const callLimitMs = 10_000;

/** Webhooks that were signed longer ago are not read (both providers' own advice). */
export const webhookToleranceSeconds = 300;

/**
 * The provider cannot be asked now: nobody answers, or not as agreed, or it lets us not in. The caller may try again.
 * `detail` is for the log, and made by us: errors of the SDKs carry requests with credentials in them, and go nowhere.
 */
export function providerAway(detail: string): UnavailableError {
  return new UnavailableError({ key: 'payment.providerAway', detail });
}

/** The provider understands what we ask, and refuses it: what that means depends on what was asked. */
export class ProviderRefusal extends Error {
  constructor(
    readonly status: number,
    /** The provider's stable word for the reason; empty where it gave none. */
    readonly reason: string,
    detail: string,
  ) {
    super(detail);
    this.name = 'ProviderRefusal';
  }
}

/** Providers take titles up to a length (in UTF-16 units); a longer one is cut between characters. */
export function shortTitle(title: string, maximumLength: number): string {
  if (title.length <= maximumLength) return title;
  let short = '';
  for (const character of title) {
    if (short.length + character.length >= maximumLength) break;
    short += character;
  }
  return `${short}…`;
}

/** The one value of a header; null where it is missing, repeated or empty. */
export function singleHeader(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  name: string,
): string | null {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
