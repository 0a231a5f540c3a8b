import { randomBytes, randomUUID } from 'node:crypto';
import { issueUserTokens } from '../../shared/oauth/token.service.js';
import type { Context } from '../../shared/platform/context.js';
import { User } from '../../shared/user/user.model.js';
import { encryptText } from '../../shared/platform/security/encryption.js';
import { changeRow } from './rows.js';

/** The password of all test users except those that register through the API. */
const testPassword = 'correct horse';

/** The hash of `testPassword`, of low cost. */
const testPasswordHash = 'scrypt$1024$8$1$KhjzsRTfAadBvVwrU21-LA$7T9b0TvAQSA1nNjat_5zs5xZ1WkFAKa_5F-jASwbgDw';

type UserColumns = Partial<
  Pick<User, 'userCode' | 'email' | 'firstName' | 'lastName' | 'birthDate' | 'language' | 'transcoderNotifyEnabled'>
>;

/** A row of `users` as a registration creates it: active, and searchable after the next drain. */
export async function makeUser(ctx: Context, columns: UserColumns = {}): Promise<User> {
  const userCode = columns.userCode ?? `user${randomBytes(5).toString('hex')}`;
  const now = ctx.clock.now();
  return ctx.db.transaction(async (transaction) => {
    const user = await ctx.db.model(User).create(
      {
        id: randomUUID(),
        userCode,
        passwordHash: testPasswordHash,
        state: 'ACTIVE',
        language: 'en',
        email: `${userCode}@example.org`,
        firstName: 'Ada',
        lastName: 'Lovelace',
        birthDate: '1985-12-10',
        lastActivityAt: now,
        createdAt: now,
        updatedAt: now,
        ...columns,
      },
      { transaction },
    );
    await ctx.search.markDirty(transaction, 'user', user.id);
    return user;
  });
}

/** Creates a user and resolves with the id: for tests below the API. */
export async function createUser(ctx: Context): Promise<string> {
  return (await makeUser(ctx)).id;
}

export interface TestUser {
  readonly userCode: string;
  readonly password: string;
  readonly userId: string;
  /** A private access token. */
  readonly token: string;
  readonly refreshToken: string;
}

/** Creates a user and logs in. */
export async function createLoggedInUser(ctx: Context, columns: UserColumns = {}): Promise<TestUser> {
  const user = await makeUser(ctx, columns);
  const { id: userId, passwordHash } = user;
  const tokens = await issueUserTokens(ctx, { clientId: ctx.config.oauth.clients[0].id, userId, passwordHash });
  if (!tokens?.refresh_token) throw new Error('the new user got no tokens');
  const { access_token: token, refresh_token: refreshToken } = tokens;
  return { userCode: user.userCode, password: testPassword, userId, token, refreshToken };
}

/** The live password of test publishers. It contains characters that queries and base64 treat specially. */
export const livePassword = 'pa+ss=w0rd';

/** Sets the live password of a user, and resolves with it. */
export async function setLivePassword(ctx: Context, userId: string, password = livePassword): Promise<string> {
  const encrypted = encryptText(ctx.config.encryptionKey, userId, password);
  await changeRow(ctx, User, userId, { livePassword: encrypted });
  return password;
}

export function disableUser(ctx: Context, userId: string): Promise<void> {
  return changeRow(ctx, User, userId, { state: 'DISABLED' });
}
