import Joi from 'joi';
import {
  minSecretLength,
  settingGroup,
  variable,
  type Environment,
  type Settings,
} from '../platform/settingVariables.js';

const { text, secret, integer } = variable;

/** A client of the token endpoint (`docs/contract.md#choices-tokens`). */
export interface OAuthClient {
  readonly id: string;
  /** Empty for a public client, such as a script in a browser, which cannot protect a secret. */
  readonly secret: string;
  /** Origins of its pages (`https://app.example.org`), to which links in mails may lead. */
  readonly origins: readonly string[];
}

/** The clients of the token endpoint, and lifetimes of tokens. */
export interface OAuthConfig {
  readonly clients: readonly [OAuthClient, ...OAuthClient[]];
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
}

declare module '../platform/config.js' {
  interface Config {
    readonly oauth: OAuthConfig;
  }
}

/** `id:secret[@origin...]`; the secret may be empty and contains neither commas nor white space. */
const clientForm = /^([^:,\s]+):([^,\s]*?)((?:@https?:\/\/[^@,\s]+)*)$/;

export const oauthSettings: Settings<{ oauth: OAuthConfig }> = {
  variables: Joi.object({
    ...settingGroup('Credentials', {
      OAUTH_CLIENT_ID: text.tag('must').description('id of the first client of `/oauth/token`'),
      OAUTH_CLIENT_SECRET: secret
        .allow('')
        .tag('must')
        .description('secret of the client `OAUTH_CLIENT_ID`. Empty: a public client, such as a web page'),
      OAUTH_CLIENTS: text
        .tag('choose')
        .description(
          'further clients, `id:secret[@origin...]`: `web:@https://www.example.org,app:9f3c…`. Origins are the addresses of the client’s pages; links in mails may lead there',
        )
        // The messages do not contain the value, because it contains secrets.
        .messages({
          'clients.form':
            'OAUTH_CLIENTS must be id:secret[@origin...][,id:secret[@origin...]], each origin http(s)://host',
          'clients.secret': `OAUTH_CLIENTS contains a secret of less than ${minSecretLength} characters that is not empty`,
          'clients.twice': 'OAUTH_CLIENTS contains an id twice, or the id of OAUTH_CLIENT_ID',
        })
        .custom((list: string, { error, state }) => {
          const clients = parsedClients(list);
          if (clients === undefined) return error('clients.form');
          if (clients.some((client) => client.secret !== '' && client.secret.length < minSecretLength))
            return error('clients.secret');
          const single = (state.ancestors[0] as Environment)['OAUTH_CLIENT_ID'];
          const ids = [...clients.map(({ id }) => id), ...(single === undefined ? [] : [String(single)])];
          return new Set(ids).size < ids.length ? error('clients.twice') : list;
        }),
    }),
    ...settingGroup('Tokens', {
      ACCESS_TOKEN_SECONDS: integer.min(1).default(43_200).description('lifetime of an access token'),
      REFRESH_TOKEN_SECONDS: integer
        .min(1)
        .default(30 * 86_400)
        .description('lifetime of a refresh token'),
    }),
  })
    .or('OAUTH_CLIENT_ID', 'OAUTH_CLIENTS')
    .and('OAUTH_CLIENT_ID', 'OAUTH_CLIENT_SECRET'),
  configOf: (env) => ({
    oauth: {
      clients: clientsOf(env),
      accessTokenSeconds: env['ACCESS_TOKEN_SECONDS'],
      refreshTokenSeconds: env['REFRESH_TOKEN_SECONDS'],
    },
  }),
};

/** The client of `OAUTH_CLIENT_ID` is the first. */
function clientsOf(env: Environment): OAuthConfig['clients'] {
  const [id, list] = [env['OAUTH_CLIENT_ID'], env['OAUTH_CLIENTS']];
  const single = id === undefined ? [] : [{ id, secret: env['OAUTH_CLIENT_SECRET'], origins: [] }];
  const [first, ...further] = [...single, ...(list === undefined ? [] : (parsedClients(list) ?? []))];
  if (!first) throw new Error('no OAuth client is configured');
  return [first, ...further];
}

/** Undefined: an entry is invalid. */
function parsedClients(list: string): OAuthClient[] | undefined {
  const clients = list.split(',').map((entry) => parsedClient(entry.trim()));
  return clients.every((client) => client !== undefined) ? clients : undefined;
}

function parsedClient(entry: string): OAuthClient | undefined {
  const [, id, clientSecret, origins = ''] = clientForm.exec(entry) ?? [];
  if (id === undefined || clientSecret === undefined) return undefined;
  const addresses = origins.split(/@(?=https?:\/\/)/).filter((origin) => origin !== '');
  // An origin has no path, query or credentials. `URL` also converts the host to lower case and removes the default
  // port.
  const isOrigin = (address: string): boolean =>
    URL.canParse(address) && new URL(address).href === `${new URL(address).origin}/`;
  if (!addresses.every(isOrigin)) return undefined;
  return { id, secret: clientSecret, origins: addresses.map((address) => new URL(address).origin) };
}
