import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { databaseNow } from '../platform/database/databaseTime.js';
import { planInForce, planInForceNow } from './plan.queries.js';
import { storageFull } from './quotaError.js';

/** Kinds of stored bytes; all three count towards the plan's storage. */
export type StoredKind = 'originals' | 'renditions' | 'thumbnails';

/** The limits of the plan in force and their usage. `maxUploadNumber` 0: unlimited. */
export interface Usage {
  readonly originalBytes: number;
  readonly renditionBytes: number;
  readonly thumbnailBytes: number;
  /** The sum of the three above. */
  readonly storedBytes: number;
  readonly reservedBytes: number;
  readonly uploads: number;
  readonly reservedUploads: number;
  readonly storageLimitBytes: number;
  readonly maxVideoBytes: number;
  readonly maxUploadNumber: number;
  /** Sent to viewers in the current calendar month (UTC). */
  readonly bandBytes: number;
  readonly bandLimitBytes: number;
  /** Processed in the current calendar month (UTC): `shared/content/mediaSeconds.ts`. */
  readonly mediaSeconds: number;
  /** 0: unlimited. */
  readonly mediaMinutesLimit: number;
  /** Published by encoders in the current calendar month (UTC). */
  readonly streamingSeconds: number;
  /** 0: unlimited. */
  readonly streamingHoursLimit: number;
}

const columns = { originals: 'original_bytes', renditions: 'rendition_bytes', thumbnails: 'thumbnail_bytes' } as const;

/** Inserts the user's row of `quotas` if it does not exist. */
export async function ensureQuota(ctx: Context, userId: string, tx?: Transaction): Promise<void> {
  await ctx.db.change('INSERT INTO quotas (user_id) VALUES ($userId) ON CONFLICT DO NOTHING', { userId }, tx);
}

/** The current usage. A user without a row of `quotas` has stored nothing and is on the default plan. */
export async function usageOf(ctx: Context, userId: string, tx?: Transaction): Promise<Usage> {
  const [row] = await ctx.db.rows<Omit<Usage, 'storedBytes'>>(
    `SELECT coalesce(q.original_bytes, 0) AS original_bytes, coalesce(q.rendition_bytes, 0) AS rendition_bytes,
       coalesce(q.thumbnail_bytes, 0) AS thumbnail_bytes, coalesce(q.reserved_bytes, 0) AS reserved_bytes,
       coalesce(q.uploads, 0) AS uploads, coalesce(q.reserved_uploads, 0) AS reserved_uploads,
       p.storage_gigabytes::bigint << 30 AS storage_limit_bytes, p.max_video_gigabytes::bigint << 30 AS max_video_bytes,
       p.max_upload_number, p.band_gigabytes::bigint << 30 AS band_limit_bytes,
       ${inMonth('q.band_month', 'q.band_bytes')} AS band_bytes,
       ${inMonth('q.media_month', 'q.media_seconds')} AS media_seconds, p.media_minutes AS media_minutes_limit,
       ${inMonth('q.streaming_month', 'q.streaming_seconds')} AS streaming_seconds,
       p.streaming_amount AS streaming_hours_limit
     FROM (SELECT) AS one_row LEFT JOIN quotas q ON q.user_id = $userId
     JOIN license_plans p ON p.id = ${planInForce}`,
    { userId, month: await currentMonth(ctx, tx), ...planInForceNow(ctx) },
    tx,
  );
  if (!row) throw new Error('table license_plans has no rows');
  return { ...row, storedBytes: row.originalBytes + row.renditionBytes + row.thumbnailBytes };
}

/**
 * Adds bytes that a job has stored, or subtracts deleted bytes (negative `deltaBytes`). No limit applies, because an
 * accepted upload is always processed. Each call with `originals` also adds or subtracts one upload.
 */
export async function recordStoredBytes(
  ctx: Context,
  tx: Transaction,
  userId: string,
  kind: StoredKind,
  deltaBytes: number,
): Promise<void> {
  if (deltaBytes === 0) return;
  await ensureQuota(ctx, userId, tx);
  const column = columns[kind];
  const uploads = kind === 'originals' ? ', uploads = greatest(0, uploads + sign($delta::bigint)::integer)' : '';
  await ctx.db.change(
    `UPDATE quotas SET ${column} = greatest(0, ${column} + $delta::bigint)${uploads} WHERE user_id = $userId`,
    { userId, delta: deltaBytes },
    tx,
  );
}

/** Checks that a user may store `bytes` more. Throws QuotaExceededError. */
export async function assertStorageFree(ctx: Context, userId: string, bytes: number): Promise<void> {
  const usage = await usageOf(ctx, userId);
  if (usage.storedBytes + usage.reservedBytes + bytes > usage.storageLimitBytes) throw storageFull(usage);
}

/** Adds bytes that a user stores, if the plan's storage permits them. Throws QuotaExceededError. */
export async function takeStorage(
  ctx: Context,
  tx: Transaction,
  userId: string,
  kind: StoredKind,
  bytes: number,
): Promise<void> {
  await ensureQuota(ctx, userId, tx);
  const column = columns[kind];
  const taken = await ctx.db.change(
    `UPDATE quotas q SET ${column} = q.${column} + $bytes::bigint
     FROM license_plans p
     WHERE q.user_id = $userId AND p.id = ${planInForce}
       AND q.original_bytes + q.rendition_bytes + q.thumbnail_bytes + q.reserved_bytes + $bytes::bigint <= p.storage_gigabytes::bigint << 30`,
    { userId, bytes, ...planInForceNow(ctx) },
    tx,
  );
  if (taken === 0) throw storageFull(await usageOf(ctx, userId, tx));
}

/** First day of the calendar month (UTC), yyyy-MM-dd: usage is counted by calendar month. */
export function monthOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 7)}-01`;
}

/** The month to count in, from the database's clock, because process clocks may differ at midnight. */
export async function currentMonth(ctx: Context, tx?: Transaction): Promise<string> {
  return monthOf(await databaseNow(ctx, tx));
}

/**
 * SQL: the value counted in the month `$month`. A counter never returns to an earlier month: the usage of a process
 * that is late counts in the later month.
 */
export function inMonth(month: string, value: string): string {
  return `CASE WHEN ${month} >= $month::date THEN ${value} ELSE 0 END`;
}
