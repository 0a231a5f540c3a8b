import type { Config } from '../platform/config.js';
import { sameSecret } from '../platform/security/passwords.js';
import type { OAuthClient } from './oauth.settings.js';

/**
 * The client with this id (`name`) and secret; undefined: there is none. Compares with every client in constant time,
 * so that the duration reveals neither id nor secret.
 */
export function findClient(
  { oauth }: Config,
  { name, secret }: { readonly name: string; readonly secret: string },
): OAuthClient | undefined {
  return oauth.clients.filter((client) => {
    const isIdCorrect = sameSecret(name, client.id);
    const isSecretCorrect = sameSecret(secret, client.secret);
    return isIdCorrect && isSecretCorrect;
  })[0];
}
