import { networkOf } from '../platform/formats/network.js';
import { Tunable } from '../platform/tunable.js';
import { addressSubject, nameSubject, type AttemptRate, type Subject } from '../platform/throttle/subject.js';

/** An attempt for an account, by the name that was sent. */
interface AccountAttempt {
  readonly userCode: string;
  readonly remoteAddress: string;
}

/** Failures of one user code from one address in five minutes: people who have forgotten a password try less often. */
export const loginFailuresPerUser = new Tunable(15);
/** The same from all addresses together in an hour: an attacker with many addresses guesses no faster. */
export const loginFailuresFromAllAddresses = new Tunable(100);
/** Public tokens for one address: a page of a school or a company may ask for one at each load. */
export const publicTokensPerMinute = new Tunable(1_200);

const failuresPerUser: AttemptRate = { limit: loginFailuresPerUser, windowSeconds: 300 };

/**
 * The subjects of an attempt for an account: the user code from this address; and, unless the user is known there
 * (`isKnownNetwork`), all user codes from this address, and the user code from all addresses. So somebody who attacks an
 * account from elsewhere, or other accounts from the same address, does not keep its user out.
 */
export function accountSubjects(
  kind: string,
  { userCode, remoteAddress }: AccountAttempt,
  isKnownNetwork: boolean,
  rates: { readonly ofAddress?: AttemptRate; readonly ofUser: AttemptRate },
): readonly Subject[] {
  const ofUser = nameSubject(kind, userCode, rates.ofUser);
  const fromThisNetwork = { ...failuresPerUser, name: `${ofUser.name}@${networkOf(remoteAddress)}` };
  return isKnownNetwork
    ? [fromThisNetwork]
    : [fromThisNetwork, addressSubject(kind, remoteAddress, rates.ofAddress), ofUser];
}

/** The subjects of a login. `isKnownNetwork`: the user has logged in from this address before. */
export function loginSubjects(attempt: AccountAttempt, isKnownNetwork: boolean): readonly Subject[] {
  const ofUser = { limit: loginFailuresFromAllAddresses, windowSeconds: 3_600 };
  return accountSubjects('login', attempt, isKnownNetwork, { ofUser });
}

/** A logged-in user proves the current password: only somebody with a token of the account can use up this limit. */
export function passwordSubject({ userCode }: Pick<AccountAttempt, 'userCode'>): Subject {
  return nameSubject('password', userCode, failuresPerUser);
}

/** Every public token counts for the address: each is a row, and a public client has no secret. */
export function publicTokenSubject(remoteAddress: string): Subject {
  return addressSubject('token', remoteAddress, { limit: publicTokensPerMinute, windowSeconds: 60 });
}

const presentations = new Tunable(1);

/** A refused refresh token, by its hash: reached when it is presented again. */
export function refusedTokenSubject(hash: Buffer): Subject {
  return { name: `refused:${hash.toString('base64url')}`, limit: presentations, windowSeconds: 3_600 };
}
