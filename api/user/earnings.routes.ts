import Joi from 'joi';
import { allEarned, earningsOf, type Earned, type Earnings } from '../../shared/ledger/earnings.js';
import { formatDateTime, formatPrice } from '../../shared/platform/formats/format.js';
import { wire } from '../http/fields.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { pageResponse, pageQuery, type PageQuery } from '../http/searchBody.js';
import { earningsHead, earningsRow } from './earnings.csv.js';

const money = {
  /** Negative where more was given back than earned. */
  amount: Joi.string()
    .pattern(/^-?\d+,\d\d$/)
    .example('12,50')
    .required(),
  currency: Joi.string().required(),
};
const total = { ...money, count: Joi.number().integer().required() };
const item = { itemKind: Joi.string().required(), itemId: Joi.string().required(), title: Joi.string().required() };

const earned = Joi.object({
  ...item,
  ...money,
  kind: Joi.valid('SALE', 'REVERSAL').required(),
  postedDate: Joi.object({
    date: wire.date().required(),
    time: Joi.string()
      .pattern(/^\d\d:\d\d:\d\d$/)
      .example('18:30:00')
      .required(),
  }).required(),
}).meta({ className: 'Earned' });

const earningsResponse = pageResponse(earned).keys({
  balances: Joi.array().items(Joi.object(total)).required(),
  totals: Joi.object({
    byItem: Joi.array()
      .items(Joi.object({ ...item, ...total }))
      .required(),
    byMonth: Joi.array()
      .items(
        Joi.object({
          month: Joi.string()
            .pattern(/^\d\d\/\d{4}$/)
            .example('12/2026')
            .required(),
          ...total,
        }),
      )
      .required(),
  }).required(),
});

/** What the caller has earned of sales: their account in the ledger (principle 7 of docs/architecture.md). */
export const earningsRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/api/user/me/earnings',
    status: 200,
    summary: 'What the caller has earned; all of it as a table where `Accept` is `text/csv`',
    query: pageQuery,
    response: earningsResponse,
    otherResponses: ['text/csv'],
    async handle(request) {
      const { ctx, userId, query: page, offsetMs, headers } = request;
      if (asksForTable(headers.accept)) return sendTable(request);
      return earningsView(await earningsOf(ctx, userId, { ...page, pagination: true }, offsetMs), offsetMs);
    },
  }),
];

function earningsView({ page, balances, byItem, byMonth }: Earnings, offsetMs: number) {
  return {
    ...page,
    items: page.items.map(({ kind, postedAt, ...line }: Earned) => ({
      kind,
      postedDate: formatDateTime(postedAt, offsetMs),
      ...itemOf(line),
      ...moneyOf(line),
    })),
    balances: balances.map(totalOf),
    totals: {
      byItem: byItem.map((line) => ({ ...itemOf(line), ...totalOf(line) })),
      byMonth: byMonth.map((line) => ({ month: line.month.split('-').toReversed().join('/'), ...totalOf(line) })),
    },
  };
}

function itemOf({ itemKind, itemId, title }: { itemKind: string; itemId: string; title: string }) {
  return { itemKind, itemId, title };
}

function moneyOf({ cents, currency }: { cents: number; currency: string }) {
  return { amount: formatPrice(cents), currency };
}

function totalOf(line: { cents: number; currency: string; count: number }) {
  return { ...moneyOf(line), count: line.count };
}

/** Who takes JSON as well gets JSON, as everywhere (`docs/contract.md#choices-requests`). */
function asksForTable(accept = ''): boolean {
  return /\btext\/csv\b/i.test(accept) && !/\bapplication\/json\b/i.test(accept);
}

/** Every line, as it is read. */
async function sendTable(request: RequestOf<unknown, PageQuery, unknown>): Promise<void> {
  const { ctx, userId, offsetMs, response, signal } = request;
  const lines = allEarned(ctx, userId);
  // Before the head goes out, so that a database which is away can still be told of.
  let batch = await lines.next();
  response.statusCode = 200;
  response.setHeader('Content-Type', 'text/csv; charset=utf-8; header=present');
  response.setHeader('Content-Disposition', 'attachment; filename="earnings.csv"');
  response.setHeader('Vary', 'Accept');
  response.write(earningsHead);
  while (!batch.done && !signal.aborted) {
    const isTaken = response.write(batch.value.map((line) => earningsRow(line, offsetMs)).join(''));
    if (!isTaken) await drained(response, signal);
    batch = await lines.next();
  }
  response.end();
}

/** Until the caller has taken what was written, or has gone. */
function drained(response: RequestOf<unknown, unknown, unknown>['response'], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    response.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
