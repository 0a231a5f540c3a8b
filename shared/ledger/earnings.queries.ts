import type { Context } from '../platform/context.js';
import { readPage, rowsOfPage } from '../platform/database/readPage.js';
import { unpagedLimit, type Page, type PageRequest } from '../platform/formats/page.js';
import { monthsOf } from '../platform/formats/months.js';
import type { TimeZone } from '../platform/formats/timeZone.js';

/** One posting to a user's account. */
export interface Earned {
  readonly kind: 'SALE' | 'REVERSAL';
  readonly itemKind: string;
  readonly itemId: string;
  readonly title: string;
  /** Negative for a reversal. */
  readonly cents: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly postedAt: Date;
}

interface Total {
  readonly cents: number;
  readonly currency: string;
  /** Number of postings in the sum. */
  readonly count: number;
}

export interface ItemTotal extends Total {
  readonly itemKind: string;
  readonly itemId: string;
  /** The title of the last sale. */
  readonly title: string;
}

export interface MonthTotal extends Total {
  /** yyyy-MM, in the caller's time zone. */
  readonly month: string;
}

export interface Earnings {
  readonly page: Page<Earned>;
  /** The thousand items with the highest earnings. */
  readonly byItem: readonly ItemTotal[];
  /** The newest month first. */
  readonly byMonth: readonly MonthTotal[];
  /** The amount owed to the user, in each currency. */
  readonly balances: readonly Total[];
}

/** Only PAYABLE postings have a user. Sums are index-only scans of `ledger_postings_user`. */
const ofUser = 'WHERE posting.user_id = $userId';
const lines = `FROM ledger_postings posting JOIN ledger_transactions entry ON entry.id = posting.transaction_id ${ofUser}`;

/** The sign is inverted: a credit in the ledger is an amount owed to the user, which is positive in this view. */
const line = `entry.kind, posting.item_kind, posting.item_id, posting.title,
  -posting.amount_cents AS cents, posting.currency, posting.posted_at`;

const sums = '-sum(posting.amount_cents)::bigint AS cents, posting.currency, count(*)::int AS count';

/** A page of a user's postings with totals; months begin at midnight in the time zone. */
export async function earningsOf(
  ctx: Context,
  userId: string,
  request: PageRequest,
  zone: TimeZone,
): Promise<Earnings> {
  // Sequential: four concurrent queries would use four of the process's connections.
  const balances = await ctx.db.rows<Total>(
    `SELECT ${sums} FROM ledger_postings posting ${ofUser} GROUP BY posting.currency ORDER BY posting.currency`,
    { userId },
  );
  const page = await readPage(
    request,
    (rows) =>
      ctx.db.rows<Earned>(`SELECT ${line} ${lines} ORDER BY posting.posted_at DESC, posting.id DESC ${rowsOfPage}`, {
        userId,
        ...rows,
      }),
    async () => balances.reduce((total, { count }) => total + count, 0),
  );
  const byItem = await ctx.db.rows<ItemTotal>(
    `SELECT item.item_kind, item.item_id, item.cents, item.currency, item.count, last.title
       FROM (SELECT posting.item_kind, posting.item_id, ${sums}, max(posting.id) AS last_id
               FROM ledger_postings posting ${ofUser} GROUP BY posting.item_kind, posting.item_id, posting.currency
              ORDER BY cents DESC, posting.item_id LIMIT $limit) item
       JOIN ledger_postings last ON last.id = item.last_id ORDER BY item.cents DESC, item.item_id`,
    { userId, limit: unpagedLimit },
  );
  return { page, byItem, byMonth: await monthTotals(ctx, userId, zone), balances };
}

/** The months' limits are computed here and not in SQL: the database may have another version of the time zone data. */
async function monthTotals(ctx: Context, userId: string, zone: TimeZone): Promise<readonly MonthTotal[]> {
  const [range] = await ctx.db.rows<{ first: Date | null; last: Date | null }>(
    `SELECT min(posting.posted_at) AS first, max(posting.posted_at) AS last FROM ledger_postings posting ${ofUser}`,
    { userId },
  );
  if (!range?.first || !range.last) return [];
  const months = monthsOf(zone, range.first, range.last);
  return ctx.db.rows<MonthTotal>(
    `SELECT ($names::text[])[total.number] AS month, total.cents, total.currency, total.count
       FROM (SELECT width_bucket(posting.posted_at, $starts::timestamptz[]) AS number, ${sums}
               FROM ledger_postings posting ${ofUser} GROUP BY 1, posting.currency) total
      ORDER BY total.number DESC, total.currency`,
    { userId, names: months.map(({ name }) => name), starts: months.map(({ start }) => start) },
  );
}

const batchSize = 1000;

/** All postings of a user, the newest first, in batches of a thousand rows, so that memory use is bounded. */
export async function* allEarned(ctx: Context, userId: string): AsyncGenerator<readonly Earned[]> {
  let after: { postedAt: Date; id: number } | undefined;
  for (;;) {
    const rows: (Earned & { id: number })[] = await ctx.db.rows(
      `SELECT ${line}, posting.id ${lines} AND ($id::bigint IS NULL OR (posting.posted_at, posting.id) < ($postedAt, $id::bigint))
        ORDER BY posting.posted_at DESC, posting.id DESC LIMIT $batchSize`,
      { userId, postedAt: after?.postedAt ?? new Date(0), id: after?.id ?? null, batchSize },
    );
    if (rows.length > 0) yield rows;
    after = rows.at(-1);
    if (rows.length < batchSize) return;
  }
}
