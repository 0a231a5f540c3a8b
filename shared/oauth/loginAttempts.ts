import { networkOf } from '../platform/formats/network.js';
import { Tunable } from '../platform/tunable.js';
import { addressSubject, nameSubject, type AttemptRate, type Subject } from '../platform/throttle/subject.js';

/** An attempt for an account, identified by the user code in the request. */
interface AccountAttempt {
  readonly userCode: string;
  readonly remoteAddress: string;
}

/**
 * Failed logins of one user code from one address in five minutes: more than a user with a forgotten password needs.
 */
export const loginFailuresPerUser = new Tunable(15);
/** Failed logins of one user code from all addresses in an hour: limits an attacker with many addresses. */
export const loginFailuresFromAllAddresses = new Tunable(100);
/**
 * Public tokens for one address: the browsers of a school or company share an address and may request one at each page
 * load.
 */
export const publicTokensPerMinute = new Tunable(1_200);

const failuresPerUser: AttemptRate = { limit: loginFailuresPerUser, windowSeconds: 300 };

/**
 * The limit subjects of an attempt for an account: the user code from this address and, unless the user has logged in
 * from its network (`isKnownNetwork`), all user codes from this address and the user code from all addresses. Attacks
 * on the account from other addresses, or on other accounts from this address, therefore do not lock its user out.
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

/** The limit subjects of a login. `isKnownNetwork`: the user has logged in from this network before. */
export function loginSubjects(attempt: AccountAttempt, isKnownNetwork: boolean): readonly Subject[] {
  const ofUser = { limit: loginFailuresFromAllAddresses, windowSeconds: 3_600 };
  return accountSubjects('login', attempt, isKnownNetwork, { ofUser });
}

/**
 * The limit subject of password checks by a logged-in user: only clients with a token of the account can exhaust it.
 */
export function passwordSubject({ userCode }: Pick<AccountAttempt, 'userCode'>): Subject {
  return nameSubject('password', userCode, failuresPerUser);
}

/**
 * The limit subject of public tokens. Every token counts, because each is a stored row and a public client has no
 * secret.
 */
export function publicTokenSubject(remoteAddress: string): Subject {
  return addressSubject('token', remoteAddress, { limit: publicTokensPerMinute, windowSeconds: 60 });
}

const presentations = new Tunable(1);

/** The limit subject of a rejected refresh token: its second presentation exceeds the limit. */
export function refusedTokenSubject(hash: Buffer): Subject {
  return { name: `refused:${hash.toString('base64url')}`, limit: presentations, windowSeconds: 3_600 };
}
