import type { Context } from '../platform/context.js';
import { verifyPassword } from '../platform/security/passwords.js';
import { WrongPasswordError } from '../user/account.service.js';
import { findUserByCode } from '../user/user.queries.js';
import { OAuthError } from './oauth.errors.js';
import { assertNotThrottled, countFailure, loginSubjects } from './throttle.js';
import { issueUserTokens, type TokenResponse } from './token.service.js';

/**
 * Issues tokens for a user code and a password. An unknown user code, a wrong password and an account that is not active
 * get the same error after the same work. Throws OAuthError `invalid_grant`, TooManyRequestsError.
 */
export async function logIn(
  ctx: Context,
  attempt: {
    readonly clientId: string;
    readonly userCode: string;
    readonly password: string;
    readonly remoteAddress: string;
  },
): Promise<TokenResponse> {
  const subjects = loginSubjects(ctx, attempt);
  await assertNotThrottled(ctx, subjects);
  const user = await findUserByCode(ctx, attempt.userCode);
  const isRight = await verifyPassword(attempt.password, user?.passwordHash ?? null);
  const login =
    user && isRight ? { clientId: attempt.clientId, userId: user.id, passwordHash: user.passwordHash } : undefined;
  const tokens = login && (await issueUserTokens(ctx, login));
  if (!tokens) {
    await countFailure(ctx, subjects);
    throw new OAuthError('invalid_grant', 'Bad credentials');
  }
  return tokens;
}

/**
 * Runs `work`, in which a logged-in user proves the current password. A wrong password counts as a failed login, so that
 * this is no other way to guess passwords. Throws TooManyRequestsError, and what `work` throws.
 */
export async function limitPasswordGuesses(
  ctx: Context,
  attempt: { readonly userCode: string; readonly remoteAddress: string },
  work: () => Promise<void>,
): Promise<void> {
  const subjects = loginSubjects(ctx, attempt);
  await assertNotThrottled(ctx, subjects);
  try {
    await work();
  } catch (error) {
    if (error instanceof WrongPasswordError) await countFailure(ctx, subjects);
    throw error;
  }
}
