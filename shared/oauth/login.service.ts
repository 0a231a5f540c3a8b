import type { Context } from '../platform/context.js';
import { hashForAddress, verifyPassword } from '../platform/security/passwords.js';
import { limitFailures } from '../platform/throttle/throttle.js';
import { WrongPasswordError } from '../user/account.service.js';
import { findUserByCode } from '../user/user.queries.js';
import { loginSubjects, passwordSubject } from './loginAttempts.js';
import { OAuthError } from './oauth.errors.js';
import { isKnownNetwork, rememberNetwork } from './loginNetworks.js';
import { issueUserTokens, type TokenResponse } from './token.service.js';

interface LoginAttempt {
  readonly clientId: string;
  readonly userCode: string;
  readonly password: string;
  readonly remoteAddress: string;
}

/**
 * Issues tokens for a user code and a password. An unknown user code, a wrong password and an inactive account cause
 * the same error after the same work. Throws OAuthError `invalid_grant`, TooManyRequestsError.
 */
export async function logIn(ctx: Context, attempt: LoginAttempt): Promise<TokenResponse> {
  const subjects = loginSubjects(attempt, await isKnownNetwork(ctx, attempt));
  const login = await limitFailures(
    ctx,
    subjects,
    () => hashForAddress(ctx, attempt.remoteAddress, () => tokensOf(ctx, attempt)),
    ({ result, error }) => error === undefined && result === undefined,
  );
  if (!login) throw new OAuthError('invalid_grant', 'Bad credentials');
  await rememberNetwork(ctx, { userId: login.userId, remoteAddress: attempt.remoteAddress });
  return login.tokens;
}

/** Undefined: the credentials are wrong, or the account is not active. */
async function tokensOf(
  ctx: Context,
  { clientId, userCode, password }: LoginAttempt,
): Promise<{ readonly userId: string; readonly tokens: TokenResponse } | undefined> {
  const user = await findUserByCode(ctx, userCode);
  const isRight = await verifyPassword(ctx, password, user?.passwordHash ?? null);
  if (!user || !isRight) return undefined;
  const tokens = await issueUserTokens(ctx, { clientId, userId: user.id, passwordHash: user.passwordHash });
  return tokens && { userId: user.id, tokens };
}

/**
 * Runs `work`, which verifies the current password of a logged-in user. Wrong passwords are limited at the same rate as
 * those of logins, so that this is not another way to guess passwords. Throws TooManyRequestsError, and the errors of
 * `work`.
 */
export function limitPasswordGuesses<Result>(
  ctx: Context,
  attempt: { readonly userCode: string },
  work: () => Promise<Result>,
): Promise<Result> {
  return limitFailures(ctx, [passwordSubject(attempt)], work, ({ error }) => error instanceof WrongPasswordError);
}
