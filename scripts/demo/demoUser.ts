import { randomBytes } from 'node:crypto';
import { ApiError, type Client } from './client.js';

interface Account {
  userCode: string;
  password: string;
}

/**
 * The demo user's token. Registers the user if there is none, under another name if the name is taken. `keep` is called
 * before each registration and must store the password: an account without a known password would occupy the name.
 */
export async function logInDemoUser(client: Client, account: Account, keep: () => void): Promise<string> {
  const token = await tokenOf(client, account);
  if (token !== null) return token;
  const register = (): Promise<void> => {
    keep();
    return postRegistration(client, account);
  };
  try {
    await register();
  } catch (error) {
    if (!(error instanceof ApiError && [400, 409].includes(error.status))) throw error;
    account.userCode = `demo${randomBytes(3).toString('hex')}`;
    await register();
  }
  return userToken(client, account);
}

async function tokenOf(client: Client, account: Account): Promise<string | null> {
  try {
    return await userToken(client, account);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return null;
    throw error;
  }
}

/** Registers a user. The service requires all of this. */
export async function postRegistration(
  client: Client,
  { userCode, password }: Readonly<Account>,
  { firstName, lastName } = { firstName: 'Demo', lastName: 'User' },
): Promise<void> {
  const open = await client.token({ grant_type: 'client_credentials' });
  await client.post('/api/public/user/register', open, {
    ...{ userCode, password, passwordConfirm: password, firstName, lastName },
    ...{ birthDate: '01/01/1990', email: `${userCode}@example.org`, language: 'en', conditionsAccepted: true },
  });
}

/** The token of a user with a password. */
export function userToken(client: Client, { userCode, password }: Readonly<Account>): Promise<string> {
  return client.token({ grant_type: 'password', username: userCode, password });
}
