import type { Earned } from '../../shared/ledger/earnings.queries.js';
import { formatDateTime, formatPrice } from '../../shared/platform/formats/format.js';
import type { TimeZone } from '../../shared/platform/formats/timeZone.js';

const columns = ['date', 'time', 'kind', 'itemKind', 'itemId', 'title', 'amount', 'currency', 'neverOnAir'] as const;

/** First line of the CSV (RFC 4180). */
export const earningsHeader = rowOf(columns);

/** One line; dates and times in the caller's time zone. `neverOnAir` is `true`, or empty. */
export function earningsRow(earned: Earned, neverOnAir: ReadonlySet<string>, zone: TimeZone): string {
  const { date, time } = formatDateTime(earned.postedAt, zone);
  const { kind, itemKind, itemId, title, cents, currency } = earned;
  return rowOf([
    date,
    time,
    kind,
    itemKind,
    itemId,
    title,
    formatPrice(cents),
    currency,
    neverOnAir.has(itemId) ? 'true' : '',
  ]);
}

const amount = /^-?\d+,\d\d$/;

function rowOf(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/** Always quoted. A `'` is inserted before text that a spreadsheet would read as a formula, except negative amounts. */
function cellOf(text: string): string {
  const plain = /^\s*[=+\-@\t\r]/.test(text) && !amount.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
