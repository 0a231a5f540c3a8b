import { createHash } from 'node:crypto';
import { networkOf } from '../formats/network.js';
import { Tunable } from '../tunable.js';

/** A maximum number of attempts within a window, which begins with the first one. */
export interface AttemptRate {
  readonly limit: Tunable;
  readonly windowSeconds: number;
}

/**
 * A subject of a limit. Subjects with different names are independent: wrong passwords of users do not affect the credentials of
 * a client or of the integration. `docs/decisions/platform.md#limits` lists them; each domain declares its own (`*Attempts.ts`).
 */
export interface Subject extends AttemptRate {
  readonly name: string;
}

/**
 * Maximum number of wrong secrets from one address per minute, for each kind separately. Enough for many people with typing
 * errors behind one address; secrets of 16 characters cannot be guessed at this rate.
 */
export const guardedCallsPerMinute = new Tunable(60);

/** Attempts of one kind from the network of an address. The default rate is for wrong secrets. */
export function addressSubject(
  kind: string,
  remoteAddress: string,
  rate: AttemptRate = { limit: guardedCallsPerMinute, windowSeconds: 60 },
): Subject {
  return { ...rate, name: `${kind}@${networkOf(remoteAddress)}` };
}

/**
 * Attempts of one kind for an account name or a mail address. The name is hashed, because users type passwords into the wrong
 * field and names can have any length.
 */
export function nameSubject(kind: string, name: string, rate: AttemptRate): Subject {
  return { ...rate, name: `${kind}:${createHash('sha256').update(name.toLowerCase()).digest('base64url')}` };
}
