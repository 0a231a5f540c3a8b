import type { Config } from '../../shared/platform/config.js';
import { ValidationError } from '../../shared/platform/errors.js';
import { NetworkList } from '../../shared/platform/formats/network.js';
import { OutgoingGuard, OutgoingRefusedError } from '../../shared/platform/outgoing/outgoingGuard.js';

/**
 * Checks what the member `url` of a body says by itself: the service will send requests there. Names are looked up when they are sent
 * (`docs/contract.md#choices-outgoing`). Throws ValidationError.
 */
export function assertOutgoing({ outgoing }: Config, url: string): void {
  try {
    new OutgoingGuard(new NetworkList(outgoing.allowedNetworks)).parse(url);
  } catch (error) {
    if (!(error instanceof OutgoingRefusedError)) throw error;
    throw new ValidationError([{ field: 'url', code: error.code, key: `outgoing.${error.code}` }]);
  }
}
