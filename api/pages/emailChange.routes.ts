import { randomBytes } from 'node:crypto';
import Joi from 'joi';
import { confirmEmailChange, readEmailChange } from '../../shared/user/emailChange.service.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { emailNotePage, emailQuestionPage, type EmailFrame } from './emailChange.page.js';

interface TokenMember {
  readonly token: string;
}

const token = Joi.object<TokenMember>({
  token: Joi.string().max(512).allow('').default('').description('The token of the mailed link.'),
});
const path = '/account/email';

/** The page that is linked in the mail to a new e-mail address (`docs/contract.md#choices-users`). */
export const emailChangeRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path,
    status: 200,
    operationId: 'getEmailChangePage',
    summary: 'Show the page that confirms an e-mail address',
    description: 'Target of the mailed link. The address changes only when the form is sent.',
    query: token,
    response: null,
    otherResponses: { 200: ['text/html'], 400: ['text/html'] },
    async handle(request) {
      const found = await readEmailChange(request.ctx, request.query.token);
      if (!found) return respond(request, 400, (frame) => emailNotePage(frame, 'invalid'));
      const requested = { userCode: found.user.userCode, newEmail: found.change.newEmail, token: request.query.token };
      respond(request, 200, (frame) => emailQuestionPage(frame, requested));
    },
  }),
  defineRoute({
    method: 'post',
    path,
    status: 200,
    operationId: 'confirmEmailChange',
    summary: 'Confirm a new e-mail address',
    description: 'Receives the form of the page, with the token of the mailed link.',
    reads: 'form',
    body: token,
    response: null,
    otherResponses: { 200: ['text/html'], 400: ['text/html'] },
    async handle(request) {
      const result = await confirmEmailChange(request.ctx, request.body.token);
      respond(request, result === 'done' ? 200 : 400, (frame) => emailNotePage(frame, result));
    },
  }),
];

function respond(
  { ctx, language, response }: RequestOf<unknown, unknown, unknown>,
  status: number,
  page: (frame: EmailFrame) => string,
): void {
  const nonce = randomBytes(16).toString('base64');
  const bytes = Buffer.from(page({ language, nonce, translate: (key) => ctx.translate(language, `emailPage.${key}`) }));
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  );
  response.setHeader('Cache-Control', 'private, no-store');
  // The address contains the token.
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Vary', 'Accept-Language');
  response.setHeader('Content-Length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}
