import { randomBytes } from 'node:crypto';
import Joi from 'joi';
import type { Response } from 'express';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { storedMailNames, mailFolder, readStoredMail, type StoredMail } from '../../shared/platform/mail/mailFiles.js';
import { integer } from '../http/fields.js';
import { defineRoute, type Route } from '../http/route.js';
import { mailListPage, mailPage, type MailFrame } from './mail.page.js';
import { requireOperator } from './operatorState.js';

const path = '/admin/mails';
const mailsOfPage = 50;

/** Pages for operators with the mails that are stored as files because no SMTP server is set. With a server: 404. */
export const mailRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path,
    status: 200,
    operationId: 'listMails',
    summary: 'Show the stored mails',
    description: 'A page with the mails that were not sent because no SMTP server is set. Needs operator credentials.',
    isLimited: true,
    query: Joi.object<{ page: number }>({
      page: integer().min(0).max(1_000_000).default(0).description('The page, from 0.'),
    }),
    errors: [401, 404],
    response: null,
    otherResponses: { 200: ['text/html'] },
    async handle({ ctx, query, response }) {
      const folder = await enter(ctx, response);
      const names = await storedMailNames(folder);
      const pageIndex = query.page;
      const shown = names.slice(pageIndex * mailsOfPage, (pageIndex + 1) * mailsOfPage);
      const mails = await Promise.all(shown.map((name) => readStoredMail(folder, name)));
      const page = { totalCount: names.length, pageIndex, pageCount: Math.ceil(names.length / mailsOfPage) };
      sendPage(ctx, response, (frame) =>
        mailListPage({ ...frame, ...page, mails: mails.filter((mail): mail is StoredMail => mail !== null) }),
      );
    },
  }),
  defineRoute({
    method: 'get',
    path: `${path}/:name`,
    status: 200,
    operationId: 'getMail',
    summary: 'Show a stored mail',
    description: 'A page with one mail. Needs operator credentials.',
    isLimited: true,
    params: Joi.object<{ name: string }>({ name: Joi.string().required().description('File name of the mail.') }),
    errors: [401],
    response: null,
    otherResponses: { 200: ['text/html'] },
    async handle({ ctx, params, response }) {
      const folder = await enter(ctx, response);
      const mail = await readStoredMail(folder, params.name);
      if (!mail) throw new NotFoundError();
      sendPage(ctx, response, (frame) => mailPage({ ...frame, mail }));
    },
  }),
];

/** Checks the operator's credentials; resolves with the folder of mails. Throws NotFoundError if SMTP is used. */
async function enter(ctx: Context, response: Response): Promise<string> {
  requireOperator(response);
  if (ctx.config.mail.smtpUrl !== null) throw new NotFoundError({ detail: 'mails are sent by SMTP' });
  return mailFolder(ctx.config);
}

function sendPage({ config }: Context, response: Response, page: (frame: MailFrame) => string): void {
  const nonce = randomBytes(16).toString('base64');
  const bytes = Buffer.from(page({ root: `${config.service.basePath}${path}`, nonce }));
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Content-Length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}
