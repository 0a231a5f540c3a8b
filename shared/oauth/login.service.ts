import type { Context } from '../platform/context.js';
import { verifyPassword } from '../platform/security/passwords.js';
import { findUserByCode } from '../user/user.service.js';
import { OAuthError } from './oauth.errors.js';
import { assertNotThrottled, countFailure, loginSubjects } from './throttle.js';
import { issueUserTokens, type TokenResponse } from './token.service.js';

/**
 * Tokens for a user's name and password. An unknown name, a wrong password and an account that may not log in
 * get one answer, after the same work. Throws OAuthError `invalid_grant`, TooManyRequestsError.
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
  const right = await verifyPassword(attempt.password, user?.passwordHash ?? null);
  const login =
    user && right ? { clientId: attempt.clientId, userId: user.id, passwordHash: user.passwordHash } : undefined;
  const tokens = login && (await issueUserTokens(ctx, login));
  if (!tokens) {
    await countFailure(ctx, subjects);
    throw new OAuthError('invalid_grant', 'Bad credentials');
  }
  return tokens;
}
