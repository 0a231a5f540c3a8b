import Joi from 'joi';
import { publisherOf } from '../../shared/license/publisher.queries.js';
import { searchUsers } from '../../shared/license/publisher.queries.js';
import { limitPasswordGuesses } from '../../shared/oauth/login.service.js';
import { revokeUserTokens } from '../../shared/oauth/token.service.js';
import { disableAccount, updatePassword } from '../../shared/user/account.service.js';
import { requestPasswordReset, resetPassword } from '../../shared/user/passwordReset.service.js';
import { limitCalls } from '../../shared/oauth/throttle.js';
import { passwordResetSubjects, registrationSubjects } from '../../shared/oauth/throttleSubjects.js';
import { hashForAddress } from '../../shared/platform/security/passwords.js';
import { updateUser } from '../../shared/user/profile.service.js';
import { activateUser, registerUser } from '../../shared/user/registration.service.js';
import { findPublisher, readUser } from '../../shared/user/user.queries.js';
import { publisherResponse } from '../http/fields.js';
import { defineRoute, type Route } from '../http/route.js';
import { pageResponse, pageRequestOf, searchBody } from '../http/searchBody.js';
import { overviewResponse } from './overview.schemas.js';
import { ownOverview } from './overview.views.js';
import {
  passwordResetResponse,
  foundUserResponse,
  passwordUpdateBody,
  registerBody,
  passwordResetBody,
  tokenQuery,
  updateBody,
  userResponse,
} from './user.schemas.js';
import { passwordResetView, foundUserView, publisherView, userView } from './user.views.js';

/** `docs/contract.md#users`. */
export const userRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/public/user/register',
    status: 201,
    summary: 'Registers a user',
    body: registerBody,
    isLimited: true,
    response: userResponse,
    async handle({ ctx, body, language, remoteAddress }) {
      await limitCalls(ctx, registrationSubjects(ctx, remoteAddress));
      const user = await hashForAddress(ctx, remoteAddress, () => registerUser(ctx, body));
      return userView(ctx, user, language);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/user/activate',
    status: 200,
    summary: 'Activates the account of a mailed token',
    query: tokenQuery,
    changesState: true,
    response: userResponse,
    handle: async ({ ctx, query, language }) => userView(ctx, await activateUser(ctx, query.token), language),
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/user/password/renew',
    status: 200,
    summary: 'Mails a password reset link; the response does not show whether the account exists',
    body: passwordResetBody,
    isLimited: true,
    response: passwordResetResponse,
    async handle({ ctx, body, remoteAddress }) {
      const { userCode, email = '' } = body;
      const account = userCode === undefined ? `email:${email}` : `userCode:${userCode}`;
      await limitCalls(ctx, passwordResetSubjects(ctx, { account, remoteAddress }));
      await requestPasswordReset(ctx, body);
      return passwordResetView(userCode);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/user/password/renew',
    status: 200,
    summary: 'Follows the mailed link: mails a new password and revokes all tokens of the account',
    query: tokenQuery,
    changesState: true,
    isLimited: true,
    response: passwordResetResponse,
    handle: async ({ ctx, query }) =>
      passwordResetView((await resetPassword(ctx, query.token, revokeUserTokens)).userCode),
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/search/users',
    status: 200,
    summary: 'Searches the active users',
    body: searchBody(),
    response: pageResponse(foundUserResponse),
    async handle({ ctx, body, signal, caller }) {
      const page = await searchUsers(ctx, { text: body.queryString, page: pageRequestOf({ body, signal, caller }) });
      return { ...page, items: page.items.map(foundUserView) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/user/:userCode/overview',
    status: 200,
    summary: 'The public data of a user',
    params: Joi.object<{ userCode: string }>({ userCode: Joi.string().required() }),
    response: publisherResponse,
    handle: async ({ ctx, params }) =>
      publisherView(await publisherOf(ctx, (await findPublisher(ctx, params.userCode)).id)),
  }),
  defineRoute({
    method: 'get',
    path: '/api/user/me',
    status: 200,
    summary: 'The caller’s account',
    response: userResponse,
    handle: async ({ ctx, userId, language }) => userView(ctx, await readUser(ctx, userId), language),
  }),
  defineRoute({
    method: 'get',
    path: '/api/user/me/overview',
    status: 200,
    summary: 'The caller’s license and usage',
    response: overviewResponse,
    handle: ownOverview,
  }),
  defineRoute({
    method: 'post',
    path: '/api/user/me',
    status: 200,
    summary: 'Changes the caller’s account',
    body: updateBody,
    isLimited: true,
    response: userResponse,
    async handle({ ctx, userId, principal, body, language, remoteAddress }) {
      const update = () => updateUser(ctx, userId, body);
      const attempt = { userCode: principal.userCode ?? '', remoteAddress };
      const user = await (body.currentPassword === undefined ? update() : limitPasswordGuesses(ctx, attempt, update));
      return userView(ctx, user, language);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/user/me/disable',
    status: 204,
    summary: 'Disables the caller’s account and revokes all its tokens',
    response: null,
    handle: ({ ctx, userId }) => disableAccount(ctx, userId, revokeUserTokens),
  }),
  defineRoute({
    method: 'post',
    path: '/api/user/me/password/update',
    status: 204,
    summary: 'Changes the caller’s password and revokes all tokens of the account',
    body: passwordUpdateBody,
    isLimited: true,
    response: null,
    handle: ({ ctx, userId, principal, body }) =>
      limitPasswordGuesses(ctx, { userCode: principal.userCode ?? '' }, () =>
        updatePassword(ctx, { userId, ...body }, revokeUserTokens),
      ),
  }),
];
