import { createHash } from 'node:crypto';
import type { Context } from '../platform/context.js';
import { networkOf } from '../platform/formats/network.js';
import { Limit } from '../platform/limit.js';
import { guardedCallsPerMinute } from '../platform/security/operatorGuard.js';
import { renewalsPerHour } from '../user/mailToken.service.js';
import type { Subject } from './throttle.js';

/*
 * Every subject of limited attempts, and only these. Failures of one kind never count for another: wrong passwords of
 * users do not affect the credentials of a client or of the integration. docs/decisions/limits.md has the table.
 */

/** A login attempt, or another attempt for an account, by the name that was sent. */
interface AccountAttempt {
  readonly userCode: string;
  readonly remoteAddress: string;
}

const minute = 60;
const hour = 3_600;

/** Failed logins of one user code from one address in five minutes: people who have forgotten a password try less often. */
export const loginFailuresPerUser = new Limit(15);
/** The same from all addresses together in an hour: an attacker with many addresses guesses no faster. */
export const loginFailuresFromAllAddresses = new Limit(100);
/** Public tokens for one address: a page of a school or a company may ask for one at each load. */
export const publicTokensPerMinute = new Limit(1_200);
/** Registrations from one address: a whole school may register in one lesson. */
export const registrationsPerHour = new Limit(1_000);
/** Payments that one address starts: more than any group of people behind it buys. */
export const paymentsPerHour = new Limit(1_000);

/**
 * The subjects of a login: the user code from this address; and, unless the user has logged in from this address before
 * (`isKnownNetwork`), all user codes from this address, and the user code from all addresses. So somebody who attacks an
 * account from elsewhere, or other accounts from the same address, does not keep its user out.
 */
export function loginSubjects(ctx: Context, attempt: AccountAttempt, isKnownNetwork: boolean): readonly Subject[] {
  const user = digest(attempt.userCode);
  const network = networkOf(attempt.remoteAddress);
  const fromThisNetwork = {
    name: `login:${user}@${network}`,
    maximum: ctx.config.limit(loginFailuresPerUser),
    windowSeconds: 5 * minute,
  };
  if (isKnownNetwork) return [fromThisNetwork];
  return [
    fromThisNetwork,
    guarded(ctx, `login@${network}`),
    { name: `login:${user}`, maximum: ctx.config.limit(loginFailuresFromAllAddresses), windowSeconds: hour },
  ];
}

/**
 * The subjects of a refused publication, as of a login. Encoders with an old password try again and again, so the limits of
 * all user codes and of all addresses are larger: a few such encoders do not reach them, and keep nobody else out.
 * `isKnownNetwork`: the user has published from this address before.
 */
export function publishSubjects(ctx: Context, attempt: AccountAttempt, isKnownNetwork: boolean): readonly Subject[] {
  const user = digest(attempt.userCode);
  const network = networkOf(attempt.remoteAddress);
  const fromThisNetwork = {
    name: `publish:${user}@${network}`,
    maximum: ctx.config.limit(loginFailuresPerUser),
    windowSeconds: 5 * minute,
  };
  if (isKnownNetwork) return [fromThisNetwork];
  return [
    fromThisNetwork,
    { name: `publish@${network}`, maximum: 5 * ctx.config.limit(guardedCallsPerMinute), windowSeconds: 5 * minute },
    { name: `publish:${user}`, maximum: 10 * ctx.config.limit(loginFailuresFromAllAddresses), windowSeconds: hour },
  ];
}

/** A logged-in user proves the current password: only somebody with a token of the account can use up this limit. */
export function passwordSubjects(ctx: Context, { userCode }: Pick<AccountAttempt, 'userCode'>): readonly Subject[] {
  const maximum = ctx.config.limit(loginFailuresPerUser);
  return [{ name: `password:${digest(userCode)}`, maximum, windowSeconds: 5 * minute }];
}

/** Wrong credentials of an OAuth client or of the streaming server, or wrong signatures of hooks. Correct ones are not limited. */
export function credentialSubjects(
  ctx: Context,
  { kind, remoteAddress }: { readonly kind: 'client' | 'integration' | 'hook'; readonly remoteAddress: string },
): readonly Subject[] {
  return [guarded(ctx, `${kind}@${networkOf(remoteAddress)}`)];
}

/** Every public token counts for the address: each is a row, and a public client has no secret. */
export function publicTokenSubjects(ctx: Context, remoteAddress: string): readonly Subject[] {
  const maximum = ctx.config.limit(publicTokensPerMinute);
  return [{ name: `token@${networkOf(remoteAddress)}`, maximum, windowSeconds: minute }];
}

/** Webhooks of the payment provider whose signature is wrong. */
export function webhookSubjects(ctx: Context, remoteAddress: string): readonly Subject[] {
  return [guarded(ctx, `webhook@${networkOf(remoteAddress)}`)];
}

/** Every registration counts for the address, also one that is rejected. */
export function registrationSubjects(ctx: Context, remoteAddress: string): readonly Subject[] {
  const maximum = ctx.config.limit(registrationsPerHour);
  return [{ name: `register@${networkOf(remoteAddress)}`, maximum, windowSeconds: hour }];
}

/** Every started payment counts for the address: each costs a row, a job and an order at the provider. */
export function paymentSubjects(ctx: Context, remoteAddress: string): readonly Subject[] {
  const maximum = ctx.config.limit(paymentsPerHour);
  return [{ name: `pay@${networkOf(remoteAddress)}`, maximum, windowSeconds: hour }];
}

/** A request for a password renewal counts for the account, whether it exists or not, and for the address. */
export function passwordResetSubjects(
  ctx: Context,
  request: { readonly account: string; readonly remoteAddress: string },
): readonly Subject[] {
  return [
    guarded(ctx, `renew@${networkOf(request.remoteAddress)}`),
    { name: `renew:${digest(request.account)}`, maximum: ctx.config.limit(renewalsPerHour), windowSeconds: hour },
  ];
}

/** Every mail to an address that its owner has not confirmed counts for the address, also if different users have caused them. */
export function unprovenMailSubjects(ctx: Context, address: string): readonly Subject[] {
  return [{ name: `mail:${digest(address)}`, maximum: ctx.config.limit(renewalsPerHour), windowSeconds: hour }];
}

/** Refused refresh tokens: each is a row. Those that are accepted are not limited. */
export function refusedRefreshSubjects(ctx: Context, remoteAddress: string): readonly Subject[] {
  return [guarded(ctx, `refresh@${networkOf(remoteAddress)}`)];
}

/** A refused refresh token, by its hash: reached when it is presented again. */
export function refusedTokenSubjects(hash: Buffer): readonly Subject[] {
  return [{ name: `refused:${hash.toString('base64url')}`, maximum: 1, windowSeconds: hour }];
}

function guarded(ctx: Context, name: string): Subject {
  return { name, maximum: ctx.config.limit(guardedCallsPerMinute), windowSeconds: minute };
}

/** Account names are hashed: users type passwords into the wrong field, and a name can have any length. */
function digest(name: string): string {
  return createHash('sha256').update(name.toLowerCase()).digest('base64url');
}
