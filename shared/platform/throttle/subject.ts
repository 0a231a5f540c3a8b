import { createHash } from 'node:crypto';
import { networkOf } from '../formats/network.js';
import { Tunable } from '../tunable.js';

/** So many attempts within a window, which begins with the first. */
export interface AttemptRate {
  readonly limit: Tunable;
  readonly windowSeconds: number;
}

/**
 * Something whose attempts are counted. Subjects with different names are separate: wrong passwords of users do not affect the
 * credentials of a client or of the integration. `docs/decisions/platform.md#limits` has the table; each domain names its own
 * (`*Attempts.ts`).
 */
export interface Subject extends AttemptRate {
  readonly name: string;
}

/**
 * Wrong secrets of one address in a minute, each kind counted for itself. Enough for many people behind one address who mistype;
 * secrets of 16 characters cannot be guessed at this rate.
 */
export const guardedCallsPerMinute = new Tunable(60);

/** Attempts of one kind from the network of an address. Without a rate: those with a wrong secret. */
export function addressSubject(
  kind: string,
  remoteAddress: string,
  rate: AttemptRate = { limit: guardedCallsPerMinute, windowSeconds: 60 },
): Subject {
  return { ...rate, name: `${kind}@${networkOf(remoteAddress)}` };
}

/**
 * Attempts of one kind for an account name or a mail address. It is hashed: users type passwords into the wrong field, and a name
 * can have any length.
 */
export function nameSubject(kind: string, name: string, rate: AttemptRate): Subject {
  return { ...rate, name: `${kind}:${createHash('sha256').update(name.toLowerCase()).digest('base64url')}` };
}
