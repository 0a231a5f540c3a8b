import type { Context } from '../platform/context.js';
import { deleteInBatches } from '../platform/database/deleteInBatches.js';
import type { Transaction } from '../platform/database/database.js';
import { localDay, localeOfTag } from '../platform/formats/regionalFormat.js';
import { defaultZone } from '../platform/formats/timeZone.js';
import { notifyUser, type NotifyUserPayload } from '../user/user.jobs.js';
import { Quota } from './license.model.js';
import { recordLicense, type QuotaLicense } from './period.lifecycle.js';
import { planInForce, planInForceNow } from './plan.queries.js';
import { currentMonth, inMonth } from './usage.service.js';

/** `docs/contract.md#choices-licenses` */
const noticeDays = 7;
const noticePercent = 80;
/** Licenses that expired earlier, while the job did not run, cause no notice. */
const maxAgeDays = 7;
/** Retention of the records of sent notices. */
const retentionDays = 400;
const batchSize = 500;
const dayMs = 86_400_000;
/** Delay of the next check after a user's notices have failed. */
const failurePauseMs = 60 * 60_000;

/** A limit that is almost reached. */
export type LimitedQuantity = 'STORAGE' | 'BAND' | 'STREAMING';

declare module '../platform/eventSubjects.js' {
  interface EventSubjects {
    /** At least 80 percent of a limit are used; recorded one time a month. */
    readonly 'quota.warning': { readonly quantity: LimitedQuantity; readonly percent: number };
  }
}

type NoticeKind = 'EXPIRING' | 'EXPIRED' | 'STORAGE' | 'BAND' | 'STREAMING';

/** SQL expressions over the rows `q` of quotas and `p` of license_plans. `$soon` is a week from now, `$lately` a week ago. */
interface Notice {
  /** Deduplication: one notice is sent for each user, kind and `about`, however often the job runs. */
  readonly about: string;
  /** Id of the plan named in the mail. */
  readonly plan: string;
  readonly due: string;
  readonly limit: PlanLimit;
}

/** A plan's limit and its usage, in SQL. */
interface PlanLimit {
  readonly used: string;
  /** The limit in the unit of plan and mail: gigabytes or hours. 0: unlimited. */
  readonly amount: string;
  /** Number of bytes or seconds in one unit. */
  readonly unit: number;
}

const licenseEnd = `to_char(q.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')`;
const month = `to_char($month::date, 'YYYY-MM')`;
const storage: PlanLimit = {
  used: 'q.original_bytes + q.rendition_bytes + q.thumbnail_bytes',
  amount: 'p.storage_gigabytes',
  unit: 1024 ** 3,
};
const band: PlanLimit = {
  used: inMonth('q.band_month', 'q.band_bytes'),
  amount: 'p.band_gigabytes',
  unit: 1024 ** 3,
};
const streaming: PlanLimit = {
  used: inMonth('q.streaming_month', 'q.streaming_seconds'),
  amount: 'p.streaming_amount',
  unit: 3600,
};
const percentOf = ({ used, amount, unit }: PlanLimit): string =>
  `(${used}) * 100 / (nullif(${amount}, 0)::bigint * ${unit})`;
const nearlyUsed = (limit: PlanLimit): string => `${percentOf(limit)} >= ${noticePercent}`;

const notices: Readonly<Record<NoticeKind, Notice>> = {
  EXPIRING: {
    about: licenseEnd,
    plan: 'q.plan_id',
    due: 'q.expires_at > $now AND q.expires_at <= $soon',
    limit: storage,
  },
  EXPIRED: {
    about: licenseEnd,
    plan: 'q.plan_id',
    due: 'q.expires_at <= $now AND q.expires_at > $lately',
    limit: storage,
  },
  STORAGE: { about: month, plan: planInForce, due: nearlyUsed(storage), limit: storage },
  BAND: { about: month, plan: planInForce, due: nearlyUsed(band), limit: band },
  STREAMING: { about: month, plan: planInForce, due: nearlyUsed(streaming), limit: streaming },
};

/**
 * Enqueues the mail of every due notice that is not sent yet: a week before a license expires, after it has expired,
 * and monthly if 80 percent or more of storage, band or streaming hours are used. Users are checked when their usage or
 * plan changes, when their license reaches one of these times, and daily. Notice and mail job are committed together,
 * so that no notice is sent twice. Resolves with the number of notices.
 */
export async function sendNotices(ctx: Context, signal: AbortSignal): Promise<number> {
  let sent = 0;
  let users: number;
  do {
    const batch = await examineBatch(ctx, signal);
    users = batch.users;
    sent += batch.sent;
  } while (users === batchSize && !signal.aborted);
  const before = new Date(ctx.clock.now().getTime() - retentionDays * dayMs);
  await deleteInBatches(
    ctx,
    `DELETE FROM license_notices WHERE (user_id, kind, about) IN
       (SELECT user_id, kind, about FROM license_notices WHERE sent_at < $before LIMIT $batchRows)`,
    { before },
    signal,
  );
  return sent;
}

interface Batch {
  readonly users: number;
  readonly sent: number;
}

/**
 * Checks a batch of due users in one transaction, those that are due longest first. If the transaction fails, checks each user
 * in a separate transaction.
 */
async function examineBatch(ctx: Context, signal: AbortSignal): Promise<Batch> {
  let userIds: string[] = [];
  try {
    return await ctx.db.transaction(async (tx) => {
      const due = await ctx.db.rows<{ userId: string }>(
        'SELECT user_id FROM quotas WHERE examine_at <= $now ORDER BY examine_at LIMIT $batchSize FOR NO KEY UPDATE SKIP LOCKED',
        { now: ctx.clock.now(), batchSize },
        tx,
      );
      userIds = due.map(({ userId }) => userId);
      return { users: userIds.length, sent: await examine(ctx, tx, userIds) };
    });
  } catch (error) {
    if (userIds.length === 0) throw error;
    return { users: userIds.length, sent: await examineEach(ctx, userIds, signal) };
  }
}

/** Skips users whom another process has locked or already checked. Resolves with the number of notices. */
async function examineEach(ctx: Context, userIds: readonly string[], signal: AbortSignal): Promise<number> {
  let sent = 0;
  for (const userId of userIds) {
    signal.throwIfAborted();
    try {
      sent += await ctx.db.transaction(async (tx) => {
        const due = await ctx.db.rows(
          'SELECT 1 FROM quotas WHERE user_id = $userId AND examine_at <= $now FOR NO KEY UPDATE SKIP LOCKED',
          { userId, now: ctx.clock.now() },
          tx,
        );
        return due.length === 0 ? 0 : examine(ctx, tx, [userId]);
      });
    } catch (error) {
      ctx.log.error({ err: error, userId }, 'license notices failed');
      const examineAt = new Date(ctx.clock.now().getTime() + failurePauseMs);
      await ctx.db.model(Quota).update({ examineAt }, { where: { userId } });
    }
  }
  return sent;
}

/**
 * Enqueues the mails of users whose quotas are locked, and sets the time of their next check. Resolves with the number
 * of notices.
 */
async function examine(ctx: Context, tx: Transaction, userIds: readonly string[]): Promise<number> {
  if (userIds.length === 0) return 0;
  let sent = 0;
  for (const kind of Object.keys(notices) as NoticeKind[]) sent += await sendKind(ctx, tx, kind, userIds);
  await ctx.db.change(
    `UPDATE quotas q SET examine_at = least($now::timestamptz + interval '1 day',
            CASE WHEN expires_at - $noticeAhead::interval > $now THEN expires_at - $noticeAhead::interval WHEN expires_at > $now THEN expires_at END,
            (SELECT min(period.ends_at) FROM license_periods period WHERE period.user_id = q.user_id AND period.ends_at > $now))
      WHERE user_id = ANY ($userIds::uuid[])`,
    { userIds, now: ctx.clock.now(), noticeAhead: `${noticeDays} days` },
    tx,
  );
  return sent;
}

async function sendKind(ctx: Context, tx: Transaction, kind: NoticeKind, userIds: readonly string[]): Promise<number> {
  const now = ctx.clock.now();
  const rows = await ctx.db.rows<NoticeRow>(
    statementOf(notices[kind]),
    {
      kind,
      ...planInForceNow(ctx),
      now,
      soon: new Date(now.getTime() + noticeDays * dayMs),
      lately: new Date(now.getTime() - maxAgeDays * dayMs),
      month: await currentMonth(ctx, tx),
      userIds,
    },
    tx,
  );
  const entries = rows.map((row) => ({ payload: mailOf(ctx, kind, row) }));
  await ctx.outbox.addMany(tx, notifyUser, entries);
  for (const row of rows) await recordNotice(ctx, tx, kind, row);
  return rows.length;
}

async function recordNotice(ctx: Context, tx: Transaction, kind: NoticeKind, row: NoticeRow): Promise<void> {
  const { userId, percent } = row;
  if (kind === 'EXPIRED') await recordLicense(ctx, tx, userId, row);
  else if (kind !== 'EXPIRING')
    await ctx.events.record(tx, 'quota.warning', userId, { quantity: kind, percent: percent ?? 0 });
}

/** SQL: inserts the due notices and selects the values of their mails. */
function statementOf({ about, plan, due, limit }: Notice): string {
  return `
    WITH due AS (
      SELECT q.user_id, u.language, ${about} AS about, p.name, q.plan_id, q.activated_at, q.expires_at,
             ${limit.amount} AS amount, ${percentOf(limit)} AS percent
        FROM quotas q JOIN users u ON u.id = q.user_id AND u.state = 'ACTIVE' JOIN license_plans p ON p.id = ${plan}
       WHERE q.user_id = ANY ($userIds::uuid[]) AND ${due}
         AND NOT EXISTS (SELECT 1 FROM license_notices n WHERE n.user_id = q.user_id AND n.kind = $kind AND n.about = ${about})
    ), noted AS (
      INSERT INTO license_notices (user_id, kind, about, sent_at)
      SELECT user_id, $kind, about, $now::timestamptz FROM due ON CONFLICT DO NOTHING RETURNING user_id
    )
    SELECT due.user_id, due.language, due.about, due.name, due.plan_id, due.activated_at, due.expires_at, due.amount,
           due.percent::integer AS percent
      FROM due JOIN noted USING (user_id)`;
}

interface NoticeRow extends QuotaLicense {
  readonly userId: string;
  readonly language: string;
  readonly about: string;
  readonly name: string;
  readonly amount: number;
  /** Null: no limit. */
  readonly percent: number | null;
}

const mails = {
  EXPIRING: { key: 'licenseExpiring', amountName: null },
  EXPIRED: { key: 'licenseExpired', amountName: null },
  STORAGE: { key: 'storageNearlyFull', amountName: 'gigabytes' },
  BAND: { key: 'bandNearlyUsed', amountName: 'gigabytes' },
  STREAMING: { key: 'streamingNearlyUsed', amountName: 'hours' },
} as const;

function mailOf(
  ctx: Context,
  kind: NoticeKind,
  { userId, language, about, name, expiresAt, amount, percent }: NoticeRow,
): NotifyUserPayload {
  const { key, amountName } = mails[kind];
  if (amountName === null) {
    const date = expiresAt === null ? '' : localDay(expiresAt, defaultZone(ctx.config), localeOfTag(language));
    return { userId, key, values: { name, date }, event: about };
  }
  return { userId, key, values: { name, [amountName]: amount, percent: percent ?? 0 }, event: about };
}
