import Joi from 'joi';
import { publisherOf, publishersOf } from '../../shared/license/publisher.queries.js';
import { searchUsers } from '../../shared/user/userSearch.queries.js';
import { limitPasswordGuesses } from '../../shared/oauth/login.service.js';
import { revokeUserTokens } from '../../shared/oauth/token.service.js';
import { disableAccount, updatePassword } from '../../shared/user/account.service.js';
import { requestPasswordReset, resetPassword } from '../../shared/user/passwordReset.service.js';
import { limitCalls } from '../../shared/platform/throttle/throttle.js';
import { passwordResetSubjects, registrationSubject } from '../../shared/user/accountAttempts.js';
import { hashForAddress } from '../../shared/platform/security/passwords.js';
import { updateUser } from '../../shared/user/profile.service.js';
import { activateUser, registerUser } from '../../shared/user/registration.service.js';
import { findPublisher, readUser } from '../../shared/user/user.queries.js';
import { publisherResponse } from '../http/fields.js';
import { defineRoute, type Route } from '../http/route.js';
import { pageResponse, pageRequestOf, searchBody } from '../http/searchBody.js';
import { overviewResponse } from './overview.schemas.js';
import { ownOverview } from '../../shared/views/overview.views.js';
import {
  passwordResetResponse,
  foundUserResponse,
  passwordUpdateBody,
  registerBody,
  passwordResetBody,
  mailTokenQuery,
  userUpdateBody,
  userResponse,
} from './user.schemas.js';
import { passwordResetView, foundUserView, publisherView, userView } from '../../shared/views/user.views.js';

/** `docs/contract.md#users`. */
export const userRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/public/user/register',
    status: 201,
    operationId: 'registerUser',
    summary: 'Register a user',
    description:
      'With `activationUrl` the account must be activated with a mailed link before the first login; without it, the account is active immediately. The response for a known e-mail address is the same as for a new one.',
    body: registerBody,
    isLimited: true,
    response: userResponse,
    async handle({ ctx, body, language, remoteAddress }) {
      await limitCalls(ctx, [registrationSubject(remoteAddress)]);
      const user = await hashForAddress(ctx, remoteAddress, () => registerUser(ctx, body));
      return userView(ctx, user, language);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/user/activate',
    status: 200,
    operationId: 'activateUser',
    summary: 'Activate an account',
    description: 'Uses up the token of the activation mail, which is valid for 24 hours. An invalid token is 400.',
    query: mailTokenQuery,
    changesState: true,
    response: userResponse,
    handle: async ({ ctx, query, language }) => userView(ctx, await activateUser(ctx, query.token), language),
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/user/password/renew',
    status: 200,
    operationId: 'requestPasswordRenewal',
    summary: 'Request a new password',
    description:
      'Mails a link to the account of the user code or the e-mail address. The response is the same whether the account exists or not.',
    body: passwordResetBody,
    isLimited: true,
    response: passwordResetResponse,
    async handle({ ctx, body, remoteAddress }) {
      const { userCode, email = '' } = body;
      const account = userCode === undefined ? `email:${email}` : `userCode:${userCode}`;
      await limitCalls(ctx, passwordResetSubjects(account, remoteAddress));
      await requestPasswordReset(ctx, body);
      return passwordResetView(userCode);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/user/password/renew',
    status: 200,
    operationId: 'renewPassword',
    summary: 'Renew a password',
    description:
      'Uses up the token of the mailed link, which is valid for an hour. Mails a new password, and revokes all tokens of the account. In the response only `userCode` is set.',
    query: mailTokenQuery,
    changesState: true,
    isLimited: true,
    response: passwordResetResponse,
    handle: async ({ ctx, query }) =>
      passwordResetView((await resetPassword(ctx, query.token, revokeUserTokens)).userCode),
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/search/users',
    readsReplica: true,
    status: 200,
    operationId: 'searchUsers',
    summary: 'Search the active users',
    description:
      'Searches user code, first name, last name, page title and page description. Order: relevance, then last activity (latest first), then user code.',
    body: searchBody(),
    response: pageResponse(foundUserResponse),
    async handle({ ctx, body, signal, caller }) {
      const search = { text: body.queryString, page: pageRequestOf({ body, signal, caller }) };
      const page = await searchUsers(ctx, search, publishersOf);
      return { ...page, items: page.items.map(foundUserView) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/user/:userCode/overview',
    readsReplica: true,
    status: 200,
    operationId: 'getPublisher',
    summary: 'Get the public data of a user',
    description: 'The user code is case-insensitive. A user who is disabled or not activated is 404.',
    params: Joi.object<{ userCode: string }>({ userCode: Joi.string().required() }),
    response: publisherResponse,
    handle: async ({ ctx, params }) =>
      publisherView(await publisherOf(ctx, (await findPublisher(ctx, params.userCode)).id)),
  }),
  defineRoute({
    method: 'get',
    path: '/api/user/me',
    status: 200,
    operationId: 'getUser',
    summary: 'Get the account of the caller',
    description: 'Profile, payment data and preferences.',
    response: userResponse,
    handle: async ({ ctx, userId, language }) => userView(ctx, await readUser(ctx, userId), language),
  }),
  defineRoute({
    method: 'get',
    path: '/api/user/me/overview',
    status: 200,
    operationId: 'getUserOverview',
    summary: 'Get license and usage of the caller',
    description: 'The current license plan, its end, and the usage of its limits.',
    response: overviewResponse,
    handle: ownOverview,
  }),
  defineRoute({
    method: 'post',
    path: '/api/user/me',
    status: 200,
    operationId: 'updateUser',
    summary: 'Change the account of the caller',
    description:
      'Only members that are sent change; an empty text is removed. A body with a complete profile (first name, last name, birth date, e-mail) replaces the account: texts that it leaves out of `profile`, and of `finance` if that is sent, are removed. A new e-mail address takes effect when its mailed link is confirmed, or immediately with `currentPassword`.',
    body: userUpdateBody,
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
    operationId: 'disableUser',
    summary: 'Disable the account of the caller',
    description:
      'Revokes all tokens, and removes everything that the user publishes from public reads, plays and searches. No operation reverses it.',
    response: null,
    handle: ({ ctx, userId }) => disableAccount(ctx, userId, revokeUserTokens),
  }),
  defineRoute({
    method: 'post',
    path: '/api/user/me/password/update',
    status: 204,
    operationId: 'updatePassword',
    summary: 'Change the password of the caller',
    description: 'Revokes all tokens of the account, including the caller’s.',
    body: passwordUpdateBody,
    isLimited: true,
    response: null,
    handle: ({ ctx, userId, principal, body }) =>
      limitPasswordGuesses(ctx, { userCode: principal.userCode ?? '' }, () =>
        updatePassword(ctx, { userId, ...body }, revokeUserTokens),
      ),
  }),
];
