import Joi from 'joi';
import { variable, type Settings } from '../platform/settings.js';

const { text, integer } = variable;

/** The client of the token endpoint, lifetimes of tokens, and limits of login attempts. */
export interface OAuthConfig {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  /** How long a refresh token that was just replaced still works. */
  readonly refreshGraceSeconds: number;
  /** Failed logins of one user code from one address in five minutes before 429. */
  readonly loginFailuresPerUser: number;
  /** The same from all addresses together in an hour; addresses that the user has logged in from are exempt. */
  readonly loginFailuresFromAllAddresses: number;
  /** Public tokens that one address may request in a minute. */
  readonly publicTokensPerMinute: number;
  /** Password renewals that may be requested for one user in an hour. */
  readonly renewalsPerHour: number;
}

declare module '../platform/config.js' {
  interface Config {
    readonly oauth: OAuthConfig;
  }
}

export const oauthSettings: Settings<{ oauth: OAuthConfig }> = {
  variables: Joi.object({
    OAUTH_CLIENT_ID: text.required(),
    OAUTH_CLIENT_SECRET: text.allow('').required(),
    ACCESS_TOKEN_SECONDS: integer.min(1).default(43_200),
    REFRESH_TOKEN_SECONDS: integer.min(1).default(30 * 86_400),
    REFRESH_GRACE_SECONDS: integer.min(0).default(10),
    LOGIN_FAILURES_PER_USER: integer.min(1).default(15),
    LOGIN_FAILURES_FROM_ALL_ADDRESSES: integer.min(1).default(100),
    PUBLIC_TOKENS_PER_MINUTE: integer.min(1).default(1200),
    RENEWALS_PER_HOUR: integer.min(1).default(5),
  }),
  configOf: (env) => ({
    oauth: {
      clientId: env['OAUTH_CLIENT_ID'],
      clientSecret: env['OAUTH_CLIENT_SECRET'],
      accessTokenSeconds: env['ACCESS_TOKEN_SECONDS'],
      refreshTokenSeconds: env['REFRESH_TOKEN_SECONDS'],
      refreshGraceSeconds: env['REFRESH_GRACE_SECONDS'],
      loginFailuresPerUser: env['LOGIN_FAILURES_PER_USER'],
      loginFailuresFromAllAddresses: env['LOGIN_FAILURES_FROM_ALL_ADDRESSES'],
      publicTokensPerMinute: env['PUBLIC_TOKENS_PER_MINUTE'],
      renewalsPerHour: env['RENEWALS_PER_HOUR'],
    },
  }),
};
