import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { currentMonth, inMonth, usageOf, type Usage } from './usage.service.js';

/** Whether a user has streaming hours left in the current calendar month (UTC). */
export type StreamingAllowance = 'WITHIN' | 'USED_UP';

/**
 * All streams of the user count together. Checked when a publication starts, and again while it runs
 * (`docs/contract.md#choices-licenses`).
 */
export async function streamingAllowanceOf(ctx: Context, userId: string): Promise<StreamingAllowance> {
  return streamingHoursAllowance(await usageOf(ctx, userId));
}

/** A plan with 0 streaming hours has no limit. */
export function streamingHoursAllowance({
  streamingSeconds,
  streamingHoursLimit,
}: Pick<Usage, 'streamingSeconds' | 'streamingHoursLimit'>): StreamingAllowance {
  return streamingHoursLimit > 0 && streamingSeconds >= streamingHoursLimit * 3600 ? 'USED_UP' : 'WITHIN';
}

/**
 * Adds time that encoders have published to the current month of a user. It is added without a limit: what was published
 * counts. The caller counts each second of a run once, in the same transaction (`live_runs.counted_seconds`).
 */
export async function recordStreamingSeconds(
  ctx: Context,
  tx: Transaction,
  userId: string,
  seconds: number,
): Promise<void> {
  await ctx.db.change(
    `INSERT INTO quotas (user_id, streaming_seconds, streaming_month) VALUES ($userId, $seconds::bigint, $month::date)
     ON CONFLICT (user_id) DO UPDATE
        SET streaming_seconds = ${inMonth('quotas.streaming_month', 'quotas.streaming_seconds')} + excluded.streaming_seconds,
            streaming_month = greatest(quotas.streaming_month, excluded.streaming_month)`,
    { userId, seconds: Math.round(seconds), month: await currentMonth(ctx, tx) },
    tx,
  );
}
