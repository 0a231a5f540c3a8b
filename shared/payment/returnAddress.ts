import { ValidationError, type FieldError } from '../platform/errors.js';

/** A host that has one reading only, in a header and in a page's content security policy. */
const plainHost = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/;
/** Printable ASCII: the browser is sent back to exactly this text, in a header. */
const plainAddress = /^[\x21-\x7e]+$/;

/** Throws ValidationError for an address outside the allowed hosts; an empty list allows all (`docs/contract.md#choices-payments`). */
export function assertReturnAddresses(
  hosts: readonly string[],
  order: { readonly returnUrl: string; readonly cancelUrl: string },
): void {
  const refused = (['returnUrl', 'cancelUrl'] as const).flatMap((field): FieldError[] => {
    const address = order[field];
    const url = URL.canParse(address) ? new URL(address) : null;
    const isPlain = url !== null && plainAddress.test(address) && plainHost.test(url.hostname);
    if (!isPlain || !/^https?:$/.test(url.protocol))
      return [{ field, code: 'webAddress', key: 'validation.webAddress', rejectedValue: address }];
    // An entry of the list may name a port; it then allows that port only.
    if (hosts.length > 0 && !hosts.includes(url.hostname) && !hosts.includes(url.host))
      return [{ field, code: 'host', key: 'payment.host', rejectedValue: address }];
    return [];
  });
  if (refused.length > 0) throw new ValidationError(refused);
}
