import { accountSubjects } from '../oauth/loginAttempts.js';
import { Tunable } from '../platform/tunable.js';
import type { Subject } from '../platform/throttle/subject.js';

/**
 * Maximum rejected publications from one address in five minutes, for all user codes. A few encoders that retry with an old
 * password stay below it, and do not block others.
 */
export const refusedPublicationsPerAddress = new Tunable(300);
/** Maximum rejected publications of one user code from all addresses in an hour. */
export const refusedPublicationsPerUser = new Tunable(1_000);

/** The limit subjects of a rejected publication. `isKnownNetwork`: the user has published from this network before. */
export function publishSubjects(
  encoder: { readonly userCode: string; readonly remoteAddress: string },
  isKnownNetwork: boolean,
): readonly Subject[] {
  return accountSubjects('publish', encoder, isKnownNetwork, {
    ofAddress: { limit: refusedPublicationsPerAddress, windowSeconds: 300 },
    ofUser: { limit: refusedPublicationsPerUser, windowSeconds: 3_600 },
  });
}
