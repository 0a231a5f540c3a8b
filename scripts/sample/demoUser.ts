import { randomBytes } from 'node:crypto';
import { ApiError, dataOf, type VideoClient } from '../../client/index.js';

interface Account {
  userCode: string;
  password: string;
}

/**
 * Logs in as the demo user. Registers the user if there is none, under another name if the name is taken. `keep` is called before
 * each registration and must store the password: an account with an unknown password would block the name.
 */
export async function logInDemoUser(client: VideoClient, account: Account, keep: () => void): Promise<void> {
  if (await isLoggedIn(client, account)) return;
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
  await client.logIn(account.userCode, account.password);
}

async function isLoggedIn(client: VideoClient, { userCode, password }: Account): Promise<boolean> {
  try {
    await client.logIn(userCode, password);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return false;
    throw error;
  }
}

/** Registers a user with a client that is not logged in. All members are required. */
export async function postRegistration(
  client: VideoClient,
  { userCode, password }: Readonly<Account>,
  { firstName, lastName } = { firstName: 'Demo', lastName: 'User' },
): Promise<void> {
  const person = { firstName, lastName, birthDate: '01/01/1990', email: `${userCode}@example.org` };
  const body = { userCode, password, passwordConfirm: password, ...person, language: 'en' };
  dataOf(await client.api.POST('/api/public/user/register', { body: { ...body, conditionsAccepted: true } }));
}
