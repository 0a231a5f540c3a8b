import type { Context } from '../platform/context.js';
import { pageOf, unpagedLimit, windowOf, type Page, type PageRequest } from '../platform/formats/page.js';

/** One line of what a user has earned, or had to give back. */
export interface Earned {
  readonly kind: 'SALE' | 'REVERSAL';
  readonly itemKind: string;
  readonly itemId: string;
  readonly title: string;
  /** Negative where it was given back. */
  readonly cents: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly postedAt: Date;
}

interface Total {
  readonly cents: number;
  readonly currency: string;
  /** Lines that make the sum. */
  readonly count: number;
}

export interface ItemTotal extends Total {
  readonly itemKind: string;
  readonly itemId: string;
  /** As it was when it was last sold. */
  readonly title: string;
}

export interface MonthTotal extends Total {
  /** yyyy-MM, in the zone that was asked for. */
  readonly month: string;
}

export interface Earnings {
  readonly page: Page<Earned>;
  /** Of items that have earned most, the first thousand. */
  readonly byItem: readonly ItemTotal[];
  /** The newest month first. */
  readonly byMonth: readonly MonthTotal[];
  /** What the user is owed, in each currency. */
  readonly balances: readonly Total[];
}

/** Only a user's account has a user. Sums read nothing that is not in its index (`ledger_postings_user`). */
const ofUser = 'WHERE posting.user_id = $userId';
const lines = `FROM ledger_postings posting JOIN ledger_transactions entry ON entry.id = posting.transaction_id ${ofUser}`;

/** A user's account reads as theirs: what they are owed is a credit in our books, and positive here. */
const line = `entry.kind, posting.item_kind, posting.item_id, posting.title,
  (-posting.amount_cents)::text AS cents, posting.currency, posting.posted_at, posting.id`;

const sums = '-sum(posting.amount_cents) AS cents, posting.currency, count(*)::int AS count';

/** What a user earns; months are those of `offsetMs`. */
export async function earningsOf(
  ctx: Context,
  userId: string,
  request: PageRequest,
  offsetMs: number,
): Promise<Earnings> {
  const { offset, limit } = windowOf(request);
  // One after another: a long account would else take three of the process's connections at a time.
  const earned = await ctx.db.rows<AsText<Earned>>(
    `SELECT ${line} ${lines} ORDER BY posting.posted_at DESC, posting.id DESC LIMIT $limit OFFSET $offset`,
    { userId, limit, offset },
  );
  const byItem = await ctx.db.rows<AsText<ItemTotal>>(
    `SELECT item.item_kind, item.item_id, item.cents, item.currency, item.count, last.title
       FROM (SELECT posting.item_kind, posting.item_id, ${sums}, max(posting.id) AS last_id
               FROM ledger_postings posting ${ofUser} GROUP BY posting.item_kind, posting.item_id, posting.currency
              ORDER BY cents DESC, posting.item_id LIMIT $limit) item
       JOIN ledger_postings last ON last.id = item.last_id ORDER BY item.cents DESC, item.item_id`,
    { userId, limit: unpagedLimit },
  );
  const byMonth = await ctx.db.rows<AsText<MonthTotal>>(
    `SELECT to_char(total.month, 'YYYY-MM') AS month, total.cents, total.currency, total.count
       FROM (SELECT date_trunc('month', (posting.posted_at AT TIME ZONE 'UTC') + $offsetMs * interval '1 millisecond') AS month,
                    ${sums} FROM ledger_postings posting ${ofUser} GROUP BY 1, posting.currency) total
      ORDER BY total.month DESC, total.currency`,
    { userId, offsetMs },
  );
  const balances = await ctx.db.rows<AsText<Total>>(
    `SELECT ${sums} FROM ledger_postings posting ${ofUser} GROUP BY posting.currency ORDER BY posting.currency`,
    { userId },
  );
  const count = balances.reduce((total, balance) => total + balance.count, 0);
  return {
    page: pageOf(request, count, earned.map(inCents)),
    byItem: byItem.map(inCents),
    byMonth: byMonth.map(inCents),
    balances: balances.map(inCents),
  };
}

const batchSize = 1000;

/** Every line, the newest first, batch by batch: however long a user has been selling, little of it is held at a time. */
export async function* allEarned(ctx: Context, userId: string): AsyncGenerator<readonly Earned[]> {
  let after: { postedAt: Date; id: string } | undefined;
  for (;;) {
    const rows: (AsText<Earned> & { id: string })[] = await ctx.db.rows(
      `SELECT ${line} ${lines} AND ($id::bigint IS NULL OR (posting.posted_at, posting.id) < ($postedAt, $id::bigint))
        ORDER BY posting.posted_at DESC, posting.id DESC LIMIT $batchSize`,
      { userId, postedAt: after?.postedAt ?? new Date(0), id: after?.id ?? null, batchSize },
    );
    if (rows.length > 0) yield rows.map(inCents);
    after = rows.at(-1);
    if (rows.length < batchSize) return;
  }
}

/** PostgreSQL sends bigint as text. */
type AsText<Row extends { cents: number }> = Omit<Row, 'cents'> & { readonly cents: string };

function inCents<Row extends { readonly cents: string }>(row: Row): Omit<Row, 'cents'> & { cents: number } {
  return { ...row, cents: Number(row.cents) };
}
