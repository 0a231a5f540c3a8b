import type { Config } from '../../shared/platform/config.js';
import { ValidationError } from '../../shared/platform/errors.js';
import { outgoingGuardOf, OutgoingRefusedError } from '../../shared/platform/outgoing/outgoingGuard.js';

/**
 * Checks the member `url` of a body, to which the service will send requests, without a DNS lookup: names are resolved when a
 * request is sent (`docs/contract.md#choices-outgoing`). Throws ValidationError.
 */
export function assertOutgoing(config: Config, url: string): void {
  try {
    outgoingGuardOf(config).parse(url);
  } catch (error) {
    if (!(error instanceof OutgoingRefusedError)) throw error;
    throw new ValidationError([{ field: 'url', code: error.code, key: `outgoing.${error.code}` }]);
  }
}
