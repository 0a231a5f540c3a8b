import Joi from 'joi';
import { findClient } from '../../shared/oauth/clients.js';
import { OAuthError } from '../../shared/oauth/oauth.errors.js';
import { logIn } from '../../shared/oauth/login.service.js';
import { refreshTokens } from '../../shared/oauth/refresh.service.js';
import { issuePublicTokens, type TokenResponse } from '../../shared/oauth/token.service.js';
import { limitCalls } from '../../shared/platform/throttle/throttle.js';
import { publicTokenSubject } from '../../shared/oauth/loginAttempts.js';
import { requireClient } from '../http/authenticate.js';
import { documented, needs } from '../http/documented.js';
import { setOAuthHeaders } from '../http/headers.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';

/** The form of `docs/contract.md#tokens`; other members are ignored. */
interface TokenForm {
  readonly grant_type?: string;
  readonly username?: string;
  readonly password?: string;
  readonly refresh_token?: string;
  /** Replaces or repeats the Basic credentials. */
  readonly client_id?: string;
  readonly client_secret?: string;
}

type TokenRequest = RequestOf<Record<string, never>, Record<string, never>, TokenForm>;

/** The schema accepts every form: the handler reports missing members as OAuth errors. */
const tokenForm = Joi.object<TokenForm>({
  grant_type: Joi.string()
    .allow('')
    .meta(documented({ enum: ['client_credentials', 'password', 'refresh_token'] }))
    .description('The grant type.'),
  username: Joi.string().allow('').description('The user code; with `password`.'),
  password: Joi.string().allow('').description('The password of the user; with `password`.'),
  refresh_token: Joi.string().allow('').description('The refresh token of the latest response; with `refresh_token`.'),
  client_id: Joi.string()
    .allow('')
    .description('The client id, if the header has no credentials. With a header, it must be the same.'),
  client_secret: Joi.string().allow('').description('The client secret; with `client_id`, instead of the header.'),
}).meta(
  documented({
    required: ['grant_type'],
    allOf: needs('grant_type', { password: ['username', 'password'], refresh_token: ['refresh_token'] }),
  }),
);

const tokenResponse = Joi.object({
  access_token: Joi.string()
    .required()
    .description('The access token: 256 random bits. Send it as `Authorization: Bearer <token>`.'),
  token_type: Joi.string().valid('bearer').required().description('Type of token.'),
  refresh_token: Joi.string().description('The token for the next exchange; absent with a public token.'),
  expires_in: Joi.number().integer().required().description('Validity of the access token in seconds.'),
  scope: Joi.string().valid('all').required().description('All operations that the token’s owner may call.'),
  jti: Joi.string().guid().required().description('Id of this response.'),
}).meta({ className: 'TokenResponse' });

const grants: Readonly<Record<string, (request: TokenRequest, clientId: string) => Promise<TokenResponse>>> = {
  client_credentials: async ({ ctx, remoteAddress }, clientId) => {
    await limitCalls(ctx, [publicTokenSubject(remoteAddress)]);
    return issuePublicTokens(ctx, clientId);
  },
  password: ({ ctx, body, remoteAddress }, clientId) => {
    // An empty user code or password is rejected like a wrong one.
    const { username = '', password = '' } = body;
    return logIn(ctx, { clientId, userCode: username, password, remoteAddress });
  },
  refresh_token: ({ ctx, body, remoteAddress }, clientId) => {
    if (body.refresh_token === undefined) throw new OAuthError('invalid_request', 'Missing refresh token');
    return refreshTokens(ctx, { clientId, refreshToken: body.refresh_token, remoteAddress });
  },
};

/**
 * The client's id, from the Basic credentials, which `authenticate` has checked, or from the form. The form may repeat the Basic
 * credentials, but must not have different ones (RFC 6749, section 2.3.1). Throws OAuthError.
 */
async function clientIdOf({ ctx, principal, body, remoteAddress }: TokenRequest): Promise<string> {
  const { client_id: name, client_secret: secret } = body;
  const { clientId } = principal;
  if (clientId === '') return requireClient(ctx, name ? { name, secret: secret ?? '' } : undefined, remoteAddress);
  if (secret && findClient(ctx.config, { name: name || clientId, secret })?.id !== clientId)
    throw new OAuthError('invalid_request', 'Different client credentials in the header and in the form');
  if (name && name !== clientId) throw new OAuthError('bad_client', 'Bad credentials');
  return clientId;
}

export const oauthRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/oauth/token',
    status: 200,
    operationId: 'createToken',
    summary: 'Get an access token',
    description:
      '`client_credentials` returns a public token, `password` a private token and a refresh token, `refresh_token` new tokens for a refresh token. Every exchange replaces the refresh token: use the one of the latest response.',
    body: tokenForm,
    response: tokenResponse,
    async handle(request) {
      const { body, response } = request;
      const clientId = await clientIdOf(request);
      if (!body.grant_type) throw new OAuthError('invalid_request', 'Missing grant type');
      const grant = Object.hasOwn(grants, body.grant_type) ? grants[body.grant_type] : undefined;
      if (!grant) throw new OAuthError('unsupported_grant_type', 'Unsupported grant type');
      const tokens = await grant(request, clientId);
      setOAuthHeaders(response);
      return tokens;
    },
  }),
];
