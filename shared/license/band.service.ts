import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { currentMonth, inMonth, usageOf } from './usage.service.js';

/** Adds bytes sent to viewers to each publisher's current month, in one statement. */
export async function recordBand(
  ctx: Context,
  bytesByUser: ReadonlyMap<string, number>,
  tx?: Transaction,
): Promise<void> {
  if (bytesByUser.size === 0) return;
  const userIds = [...bytesByUser.keys()].toSorted();
  await ctx.db.change(
    `INSERT INTO quotas AS q (user_id, band_month, band_bytes)
     SELECT sent.user_id, $month::date, sent.bytes
     FROM unnest($userIds::uuid[], $bytes::bigint[]) AS sent (user_id, bytes)
     JOIN users ON users.id = sent.user_id
     ORDER BY sent.user_id
     ON CONFLICT (user_id) DO UPDATE
     SET band_bytes = ${inMonth('q.band_month', 'q.band_bytes')} + excluded.band_bytes,
         band_month = greatest(q.band_month, excluded.band_month)`,
    { month: await currentMonth(ctx, tx), userIds, bytes: userIds.map((userId) => bytesByUser.get(userId) ?? 0) },
    tx,
  );
}

/**
 * Whether a publisher has reached this month's band limit. The limit is checked when playback starts; running playback
 * continues (`docs/contract.md#choices-licenses`).
 */
export async function isBandExceeded(ctx: Context, userId: string): Promise<boolean> {
  const usage = await usageOf(ctx, userId);
  return usage.bandBytes >= usage.bandLimitBytes;
}
