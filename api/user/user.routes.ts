import Joi from 'joi';
import { overviewOf } from '../../shared/license/overview.js';
import { publisherOf } from '../../shared/license/publisher.js';
import { searchUsers } from '../../shared/license/userSearch.js';
import { disableAccount, updatePassword } from '../../shared/oauth/account.service.js';
import { askForRenewal, renewPassword } from '../../shared/oauth/passwordReset.service.js';
import { assertNotTooMany, registrationSubjects } from '../../shared/oauth/throttle.js';
import { updateUser } from '../../shared/user/updateUser.js';
import { activateUser, findPublisher, readUser, registerUser } from '../../shared/user/user.service.js';
import { publisherResponse } from '../http/fields.js';
import { defineRoute, type Route } from '../http/route.js';
import { pageResponse, pageRequestOf, searchBody } from '../http/searchBody.js';
import { overviewResponse } from './overview.schemas.js';
import { overviewView } from './overview.views.js';
import {
  askedForResponse,
  foundUserResponse,
  passwordUpdateBody,
  registerBody,
  renewalBody,
  tokenQuery,
  updateBody,
  userResponse,
} from './user.schemas.js';
import { askedForView, foundUserView, publisherView, userView } from './user.views.js';

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
      await assertNotTooMany(ctx, registrationSubjects(ctx, remoteAddress));
      return userView(ctx, await registerUser(ctx, body), language);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/user/activate',
    status: 200,
    summary: 'Activates the account of a mailed token',
    query: tokenQuery,
    response: userResponse,
    handle: async ({ ctx, query, language }) => userView(ctx, await activateUser(ctx, query.token), language),
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/user/password/renew',
    status: 200,
    summary: 'Mails a link that makes a new password; the answer says nothing of the account',
    body: renewalBody,
    isLimited: true,
    response: askedForResponse,
    async handle({ ctx, body, language, remoteAddress }) {
      await askForRenewal(ctx, { ...body, remoteAddress });
      return askedForView(body, language);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/user/password/renew',
    status: 200,
    summary: 'Follows the mailed link: a new password is made and mailed, and all tokens of the account end',
    query: tokenQuery,
    response: userResponse,
    handle: async ({ ctx, query, language }) => userView(ctx, await renewPassword(ctx, query.token), language),
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/search/users',
    status: 200,
    summary: 'Searches the active users',
    body: searchBody(),
    response: pageResponse(foundUserResponse),
    async handle({ ctx, body }) {
      const page = await searchUsers(ctx, { text: body.queryString, page: pageRequestOf(body) });
      return { ...page, items: page.items.map(foundUserView) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/user/:userCode/overview',
    status: 200,
    summary: 'What everybody may see of a user',
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
    summary: 'The caller’s license, and what is used of it',
    response: overviewResponse,
    handle: async ({ ctx, userId, language, offsetMs }) =>
      overviewView(ctx, await overviewOf(ctx, userId), { language, offsetMs }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/user/me',
    status: 200,
    summary: 'Changes the caller’s account',
    body: updateBody,
    response: userResponse,
    handle: async ({ ctx, userId, body, language }) => userView(ctx, await updateUser(ctx, userId, body), language),
  }),
  defineRoute({
    method: 'post',
    path: '/api/user/me/disable',
    status: 204,
    summary: 'Closes the caller’s account and ends all its tokens',
    response: null,
    handle: ({ ctx, userId }) => disableAccount(ctx, userId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/user/me/password/update',
    status: 204,
    summary: 'Changes the caller’s password and ends all tokens of the account',
    body: passwordUpdateBody,
    isLimited: true,
    response: null,
    handle: ({ ctx, userId, body, remoteAddress }) => updatePassword(ctx, { userId, ...body, remoteAddress }),
  }),
];
