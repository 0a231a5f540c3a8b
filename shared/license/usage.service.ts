import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { planInForce } from './plan.queries.js';
import { storageFull } from './quotaError.js';

/** What a user's storage is counted in; all three count against the plan's storage. */
export type StoredKind = 'originals' | 'renditions' | 'thumbnails';

/** The limits of the plan in force, and how much of them is used. Bytes; a limit of 0 uploads is none. */
export interface Usage {
  readonly originalBytes: number;
  readonly renditionBytes: number;
  readonly thumbnailBytes: number;
  /** The three above together. */
  readonly storedBytes: number;
  readonly reservedBytes: number;
  readonly uploads: number;
  readonly reservedUploads: number;
  readonly storageLimitBytes: number;
  readonly maxVideoBytes: number;
  readonly maxUploadNumber: number;
  /** Sent to viewers in the calendar month (UTC) of now. */
  readonly bandBytes: number;
  readonly bandLimitBytes: number;
}

const columns = { originals: 'original_bytes', renditions: 'rendition_bytes', thumbnails: 'thumbnail_bytes' } as const;

/** Every user has a row from the first time anybody asks; two askers at once make one. */
export async function ensureQuota(ctx: Context, userId: string, tx?: Transaction): Promise<void> {
  await ctx.db.change('INSERT INTO quotas (user_id) VALUES ($userId) ON CONFLICT DO NOTHING', { userId }, tx);
}

/** The numbers as they are now; a user without a row has stored nothing under the Free plan. */
export async function usageOf(ctx: Context, userId: string, tx?: Transaction): Promise<Usage> {
  const [row] = await ctx.db.rows<Record<string, string>>(
    `SELECT coalesce(q.original_bytes, 0) AS originals, coalesce(q.rendition_bytes, 0) AS renditions,
       coalesce(q.thumbnail_bytes, 0) AS thumbnails, coalesce(q.reserved_bytes, 0) AS reserved,
       coalesce(q.uploads, 0) AS uploads, coalesce(q.reserved_uploads, 0) AS reserved_uploads,
       p.storage_gigabytes::bigint << 30 AS storage, p.max_video_gigabytes::bigint << 30 AS video,
       p.max_upload_number AS upload_number, p.band_gigabytes::bigint << 30 AS band_limit,
       CASE WHEN q.band_month = $month::date THEN q.band_bytes ELSE 0 END AS band
     FROM (SELECT) AS once LEFT JOIN quotas q ON q.user_id = $userId
     JOIN plans p ON p.id = ${planInForce}`,
    { userId, month: monthOf(ctx), now: ctx.clock.now() },
    tx,
  );
  if (!row) throw new Error('the plans are not seeded');
  const number = (name: string): number => Number(row[name]);
  return {
    originalBytes: number('originals'),
    renditionBytes: number('renditions'),
    thumbnailBytes: number('thumbnails'),
    storedBytes: number('originals') + number('renditions') + number('thumbnails'),
    reservedBytes: number('reserved'),
    uploads: number('uploads'),
    reservedUploads: number('reservedUploads'),
    storageLimitBytes: number('storage'),
    maxVideoBytes: number('video'),
    maxUploadNumber: number('uploadNumber'),
    bandBytes: number('band'),
    bandLimitBytes: number('bandLimit'),
  };
}

/**
 * Counts bytes that a job has stored or removed, whatever the limit says: what was accepted is finished. Each call with
 * `originals` is one file come or gone.
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

/** Counts bytes that a user asks to store, if there is room for them. Throws QuotaExceededError. */
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
     FROM plans p
     WHERE q.user_id = $userId AND p.id = ${planInForce}
       AND q.original_bytes + q.rendition_bytes + q.thumbnail_bytes + q.reserved_bytes + $bytes::bigint <= p.storage_gigabytes::bigint << 30`,
    { userId, bytes, now: ctx.clock.now() },
    tx,
  );
  if (taken === 0) throw storageFull(await usageOf(ctx, userId, tx));
}

/** First day of the current month (UTC): band is counted by the calendar month. */
export function monthOf(ctx: Context): string {
  return `${ctx.clock.now().toISOString().slice(0, 7)}-01`;
}
