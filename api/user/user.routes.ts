import Joi from 'joi';
import { disableAccount, updatePassword } from '../../shared/oauth/account.service.js';
import { updateUser } from '../../shared/user/updateUser.js';
import { activateUser, findPublisher, readUser, registerUser } from '../../shared/user/user.service.js';
import { publisherAnswer } from '../http/fields.js';
import { defineRoute, type Route } from '../http/route.js';
import { passwordUpdateBody, registerBody, updateBody, userAnswer } from './user.schemas.js';
import { publisherView, userView } from './user.views.js';

/** `interface.md 4.2`. */
export const userRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/public/user/register',
    status: 201,
    summary: 'Registers a user',
    body: registerBody,
    answers: userAnswer,
    handle: async ({ ctx, body, language }) => userView(ctx, await registerUser(ctx, body), language),
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/user/activate',
    status: 200,
    summary: 'Activates the account of a mailed token',
    query: Joi.object<{ token: string }>({ token: Joi.string().required() }),
    answers: userAnswer,
    handle: async ({ ctx, query, language }) => userView(ctx, await activateUser(ctx, query.token), language),
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/user/:userCode/overview',
    status: 200,
    summary: 'What everybody may see of a user',
    params: Joi.object<{ userCode: string }>({ userCode: Joi.string().required() }),
    answers: publisherAnswer,
    handle: async ({ ctx, params }) => publisherView(await findPublisher(ctx, params.userCode)),
  }),
  defineRoute({
    method: 'get',
    path: '/api/user/me',
    status: 200,
    summary: 'The caller’s account',
    answers: userAnswer,
    handle: async ({ ctx, userId, language }) => userView(ctx, await readUser(ctx, userId), language),
  }),
  defineRoute({
    method: 'post',
    path: '/api/user/me',
    status: 200,
    summary: 'Changes the caller’s account',
    body: updateBody,
    answers: userAnswer,
    handle: async ({ ctx, userId, body, language }) => userView(ctx, await updateUser(ctx, userId, body), language),
  }),
  defineRoute({
    method: 'post',
    path: '/api/user/me/disable',
    status: 204,
    summary: 'Closes the caller’s account and ends all its tokens',
    answers: null,
    handle: ({ ctx, userId }) => disableAccount(ctx, userId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/user/me/password/update',
    status: 204,
    summary: 'Changes the caller’s password and ends all tokens of the account',
    body: passwordUpdateBody,
    answers: null,
    handle: ({ ctx, userId, body, remoteAddress }) => updatePassword(ctx, { userId, ...body, remoteAddress }),
  }),
];
