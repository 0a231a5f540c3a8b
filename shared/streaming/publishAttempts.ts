import { accountSubjects } from '../oauth/loginAttempts.js';
import { Tunable } from '../platform/tunable.js';
import type { Subject } from '../platform/throttle/subject.js';

/**
 * Refused publications of all user codes from one address in five minutes. Encoders with an old password try again and again: a few
 * of them do not reach this, and keep nobody else out.
 */
export const refusedPublicationsPerAddress = new Tunable(300);
/** Refused publications of one user code from all addresses in an hour. */
export const refusedPublicationsPerUser = new Tunable(1_000);

/** The subjects of a refused publication. `isKnownNetwork`: the user has published from this address before. */
export function publishSubjects(
  encoder: { readonly userCode: string; readonly remoteAddress: string },
  isKnownNetwork: boolean,
): readonly Subject[] {
  return accountSubjects('publish', encoder, isKnownNetwork, {
    ofAddress: { limit: refusedPublicationsPerAddress, windowSeconds: 300 },
    ofUser: { limit: refusedPublicationsPerUser, windowSeconds: 3_600 },
  });
}
