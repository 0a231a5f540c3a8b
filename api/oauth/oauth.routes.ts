import Joi from 'joi';
import { OAuthError } from '../../shared/oauth/oauth.errors.js';
import { logIn } from '../../shared/oauth/login.service.js';
import { refreshTokens } from '../../shared/oauth/refresh.service.js';
import { issuePublicTokens, type TokenResponse } from '../../shared/oauth/token.service.js';
import { limitCalls } from '../../shared/oauth/throttle.js';
import { publicTokenSubjects } from '../../shared/oauth/throttleSubjects.js';
import { documented, needs } from '../http/documented.js';
import { setOAuthHeaders } from '../http/headers.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';

/** The form of `docs/contract.md#tokens`; other members are ignored. */
interface TokenForm {
  readonly grant_type?: string;
  readonly username?: string;
  readonly password?: string;
  readonly refresh_token?: string;
  /** Some clients send it in addition to Basic authentication. */
  readonly client_id?: string;
}

type TokenRequest = RequestOf<Record<string, never>, Record<string, never>, TokenForm>;

/** The schema rejects nothing: missing members are reported as OAuth errors by the handler. */
const tokenForm = Joi.object<TokenForm>({
  grant_type: Joi.string()
    .allow('')
    .meta(documented({ enum: ['client_credentials', 'password', 'refresh_token'] }))
    .description('What the token is given for.'),
  username: Joi.string().allow('').description('The user code; with `password`.'),
  password: Joi.string().allow('').description('The password of the user; with `password`.'),
  refresh_token: Joi.string().allow('').description('That of the latest response; with `refresh_token`.'),
  client_id: Joi.string().allow('').description('The one of the header; another is refused.'),
}).meta(
  documented({
    required: ['grant_type'],
    allOf: needs('grant_type', { password: ['username', 'password'], refresh_token: ['refresh_token'] }),
  }),
);

const tokenResponse = Joi.object({
  access_token: Joi.string().required().description('Sent with calls as `Authorization: Bearer <token>`.'),
  token_type: Joi.string().valid('bearer').required().description('Kind of token.'),
  refresh_token: Joi.string().description('For the next exchange; not for public tokens.'),
  expires_in: Joi.number().integer().required().description('Validity of the access token in seconds.'),
  scope: Joi.string().valid('all').required().description('Everything its owner may do.'),
  jti: Joi.string().guid().required().description('Id of this response.'),
}).meta({ className: 'TokenResponse' });

const grants: Readonly<Record<string, (request: TokenRequest) => Promise<TokenResponse>>> = {
  client_credentials: async ({ ctx, principal, remoteAddress }) => {
    await limitCalls(ctx, publicTokenSubjects(ctx, remoteAddress));
    return issuePublicTokens(ctx, principal.clientId);
  },
  password: ({ ctx, principal, body, remoteAddress }) => {
    // An empty user code or password is rejected like any wrong one.
    const { username = '', password = '' } = body;
    return logIn(ctx, { clientId: principal.clientId, userCode: username, password, remoteAddress });
  },
  refresh_token: ({ ctx, principal, body, remoteAddress }) => {
    if (body.refresh_token === undefined) throw new OAuthError('invalid_request', 'Missing refresh token');
    const { clientId } = principal;
    return refreshTokens(ctx, { clientId, refreshToken: body.refresh_token, remoteAddress });
  },
};

export const oauthRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/oauth/token',
    status: 200,
    operationId: 'createToken',
    summary: 'Get an access token',
    description:
      'With `client_credentials` a public token, with `password` a private token and a refresh token, with `refresh_token` new ones for a refresh token. Every exchange replaces the refresh token: use the one of the latest response.',
    body: tokenForm,
    response: tokenResponse,
    async handle(request) {
      const { body, principal, response } = request;
      if (body.client_id && body.client_id !== principal.clientId)
        throw new OAuthError('bad_client', 'Bad credentials');
      if (!body.grant_type) throw new OAuthError('invalid_request', 'Missing grant type');
      const grant = Object.hasOwn(grants, body.grant_type) ? grants[body.grant_type] : undefined;
      if (!grant) throw new OAuthError('unsupported_grant_type', 'Unsupported grant type');
      const tokens = await grant(request);
      setOAuthHeaders(response);
      return tokens;
    },
  }),
];
