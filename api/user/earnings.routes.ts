import Joi from 'joi';
import { allEarned, earningsOf, type Earned, type Earnings } from '../../shared/ledger/earnings.queries.js';
import { eventsNeverOnAir } from '../../shared/live/broadcast.queries.js';
import type { Context } from '../../shared/platform/context.js';
import { formatDateTime, formatPrice } from '../../shared/platform/formats/format.js';
import type { TimeZone } from '../../shared/platform/formats/timeZone.js';
import { wire } from '../http/fields.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { pageResponse, pageQuery, type PageQuery } from '../http/searchBody.js';
import { sendTexts } from '../http/sendTexts.js';
import { earningsHeader, earningsRow } from './earnings.csv.js';

const money = {
  amount: Joi.string()
    .pattern(/^-?\d+,\d\d$/)
    .example('12,50')
    .description('Negative if more was reversed than earned.')
    .required(),
  currency: Joi.string().required().description('Three letters.'),
};
const total = { ...money, count: Joi.number().integer().required().description('Number of sales and reversals.') };
const item = {
  itemKind: Joi.string().required().description('Kind of the sold item.'),
  itemId: Joi.string().required().description('Id of the item.'),
  title: Joi.string().required(),
  neverOnAir: Joi.boolean()
    .valid(true)
    .description(
      'The item is a live event that is over and was never on air. In CSV the last column: `true` or empty.',
    ),
};

const earned = Joi.object({
  ...item,
  ...money,
  kind: Joi.valid('SALE', 'REVERSAL').required().description('Sale, or reversal of a sale.'),
  postedDate: wire.dateTime().required().description('Time of the posting.'),
}).meta({ className: 'Earned' });

const earningsResponse = pageResponse(earned)
  .keys({
    balances: Joi.array().items(Joi.object(total)).required().description('Earnings by currency.'),
    totals: Joi.object({
      byItem: Joi.array()
        .items(Joi.object({ ...item, ...total }))
        .required()
        .description('Totals by item.'),
      byMonth: Joi.array()
        .items(
          Joi.object({
            month: Joi.string()
              .pattern(/^\d\d\/\d{4}$/)
              .example('12/2026')
              .description('MM/yyyy.')
              .required(),
            ...total,
          }),
        )
        .required()
        .description('Totals by month.'),
    })
      .required()
      .description('Totals by item and by month.'),
  })
  .meta({ className: 'Earnings' });

/** The caller's earnings from sales: the user's account in the ledger. */
export const earningsRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/api/user/me/earnings',
    status: 200,
    operationId: 'listEarnings',
    summary: 'List the earnings of the caller',
    description:
      'Sales and reversals, with balances and totals. If `Accept` contains `text/csv` and not JSON, all lines as CSV.',
    query: pageQuery,
    response: earningsResponse,
    otherResponses: { 200: ['text/csv'] },
    async handle(request) {
      const { ctx, userId, query, zone, headers, response } = request;
      if (acceptsOnlyCsv(headers.accept)) {
        response.setHeader('Content-Type', 'text/csv; charset=utf-8; header=present');
        response.setHeader('Content-Disposition', 'attachment; filename="earnings.csv"');
        response.setHeader('Vary', 'Accept');
        return sendTexts(request, csvOf(request));
      }
      const earnings = await earningsOf(ctx, userId, query, zone);
      const neverOnAir = await neverOnAirOf(ctx, [...earnings.page.items, ...earnings.byItem]);
      return earningsView(earnings, neverOnAir, zone);
    },
  }),
];

/** The ids of the live events in these lines that are over and were never on air. */
function neverOnAirOf(ctx: Context, lines: readonly Pick<Earned, 'itemKind' | 'itemId'>[]): Promise<Set<string>> {
  const events = lines.filter(({ itemKind }) => itemKind === 'liveEvent');
  return eventsNeverOnAir(ctx, [...new Set(events.map(({ itemId }) => itemId))]);
}

function earningsView({ page, balances, byItem, byMonth }: Earnings, neverOnAir: ReadonlySet<string>, zone: TimeZone) {
  const itemOf = ({ itemKind, itemId, title }: Pick<Earned, 'itemKind' | 'itemId' | 'title'>) => {
    const mark = neverOnAir.has(itemId) ? { neverOnAir: true } : {};
    return { itemKind, itemId, title, ...mark };
  };
  return {
    ...page,
    items: page.items.map(({ kind, postedAt, ...line }: Earned) => ({
      kind,
      postedDate: formatDateTime(postedAt, zone),
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

function moneyOf({ cents, currency }: { cents: number; currency: string }) {
  return { amount: formatPrice(cents), currency };
}

function totalOf(line: { cents: number; currency: string; count: number }) {
  return { ...moneyOf(line), count: line.count };
}

/** A client that also accepts JSON gets JSON (`docs/contract.md#choices-requests`). */
function acceptsOnlyCsv(accept = ''): boolean {
  return /\btext\/csv\b/i.test(accept) && !/\bapplication\/json\b/i.test(accept);
}

/** All lines, in batches. */
async function* csvOf({ ctx, userId, zone }: RequestOf<unknown, PageQuery, unknown>): AsyncGenerator<string> {
  let header = earningsHeader;
  for await (const batch of allEarned(ctx, userId)) {
    const neverOnAir = await neverOnAirOf(ctx, batch);
    yield header + batch.map((line) => earningsRow(line, neverOnAir, zone)).join('');
    header = '';
  }
  yield header;
}
