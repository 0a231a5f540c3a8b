import type { Context } from '../platform/context.js';
import { pageOf, unpagedLimit, windowOf, type Page, type PageRequest } from '../platform/page.js';

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

const postings = `FROM ledger_postings posting JOIN ledger_transactions entry ON entry.id = posting.transaction_id
  WHERE posting.user_id = $userId AND posting.account = 'PAYABLE'`;

/** A user's account reads as theirs: what they are owed is a credit in our books, and positive here. */
const line = `entry.kind, posting.item_kind AS "itemKind", posting.item_id AS "itemId", posting.title,
  (-posting.amount_cents)::text AS cents, entry.currency, posting.posted_at AS "postedAt", posting.id`;

const sum = `(-sum(posting.amount_cents))::text AS cents, entry.currency, count(*)::int AS count`;

/** What a user earns; months are those of `offsetMs`. */
export async function earningsOf(
  ctx: Context,
  userId: string,
  request: PageRequest,
  offsetMs: number,
): Promise<Earnings> {
  const { offset, limit } = windowOf(request);
  // One after another: a long account would else take four of the process's connections at a time.
  const lines = await ctx.db.rows<AsText<Earned>>(
    `SELECT ${line} ${postings} ORDER BY posting.posted_at DESC, posting.id DESC LIMIT $limit OFFSET $offset`,
    { userId, limit, offset },
  );
  const byItem = await ctx.db.rows<AsText<ItemTotal>>(
    `SELECT posting.item_kind AS "itemKind", posting.item_id AS "itemId", ${sum},
              (array_agg(posting.title ORDER BY posting.posted_at DESC, posting.id DESC))[1] AS title
         ${postings} GROUP BY posting.item_kind, posting.item_id, entry.currency
        ORDER BY sum(posting.amount_cents), posting.item_id LIMIT $limit`,
    { userId, limit: unpagedLimit },
  );
  const byMonth = await ctx.db.rows<AsText<MonthTotal>>(
    `SELECT to_char((posting.posted_at AT TIME ZONE 'UTC') + $offsetMs * interval '1 millisecond', 'YYYY-MM') AS month,
              ${sum} ${postings} GROUP BY month, entry.currency ORDER BY month DESC, entry.currency LIMIT $limit`,
    { userId, offsetMs, limit: unpagedLimit },
  );
  const balances = await ctx.db.rows<AsText<Total>>(
    `SELECT ${sum} ${postings} GROUP BY entry.currency ORDER BY entry.currency`,
    { userId },
  );
  const count = balances.reduce((total, balance) => total + balance.count, 0);
  return {
    page: pageOf(request, count, lines.map(inCents)),
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
      `SELECT ${line} ${postings} AND ($id::bigint IS NULL OR (posting.posted_at, posting.id) < ($postedAt, $id::bigint))
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
