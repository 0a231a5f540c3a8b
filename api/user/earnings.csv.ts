import type { Earned } from '../../shared/ledger/earnings.js';
import { formatDateTime, formatPrice } from '../../shared/platform/formats/format.js';

const columns = ['date', 'time', 'kind', 'itemKind', 'itemId', 'title', 'amount', 'currency'] as const;

/** First line of a table of earnings, RFC 4180. */
export const earningsHead = rowOf(columns);

/** One line of it; dates and times in the caller's local time. */
export function earningsRow(earned: Earned, offsetMs: number): string {
  const { date, time } = formatDateTime(earned.postedAt, offsetMs);
  const { kind, itemKind, itemId, title, cents, currency } = earned;
  return rowOf([date, time, kind, itemKind, itemId, title, formatPrice(cents), currency]);
}

const amount = /^-?\d+,\d\d$/;

function rowOf(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/** Always quoted. What a spreadsheet would take for a formula gets a quote in front; an amount below nothing is none. */
function cellOf(text: string): string {
  const plain = /^\s*[=+\-@\t\r]/.test(text) && !amount.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
