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
  const open = await client.token({ grant_type: 'client_credentials' });
  const register = (): Promise<unknown> => {
    keep();
    return client.post('/api/public/user/register', open, registrationOf(account));
  };
  try {
    await register();
  } catch (error) {
    if (!(error instanceof ApiError && [400, 409].includes(error.status))) throw error;
    account.userCode = `demo${randomBytes(3).toString('hex')}`;
    await register();
  }
  return client.token({ grant_type: 'password', username: account.userCode, password: account.password });
}

async function tokenOf(client: Client, { userCode, password }: Account): Promise<string | null> {
  try {
    return await client.token({ grant_type: 'password', username: userCode, password });
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return null;
    throw error;
  }
}

function registrationOf({ userCode, password }: Account): object {
  return {
    userCode,
    password,
    passwordConfirm: password,
    firstName: 'Demo',
    lastName: 'User',
    birthDate: '01/01/1990',
    email: `${userCode}@example.org`,
    language: 'en',
    conditionsAccepted: true,
  };
}
