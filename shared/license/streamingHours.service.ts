import type { Context } from '../platform/context.js';
import { inMonth, usageOf, type Usage } from './usage.service.js';

/** `USED_UP`: the user has no streaming hours left in the current calendar month (UTC). */
export type StreamingAllowance = 'WITHIN' | 'USED_UP';

/**
 * The user's streams count together. The allowance is checked when a publication starts, and again while it runs
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
 * SQL: adds the `seconds` of the rows of `counted`, a preceding `WITH` query, to the current month (`$month`) of
 * `$userId`. No limit applies: published time always counts. Counting in the statement that updates the counted rows
 * counts each second one time, and locks the quota's row only for that statement.
 */
export const addStreamingSeconds = `
  INSERT INTO quotas (user_id, streaming_seconds, streaming_month)
  SELECT $userId::uuid, sum(seconds)::bigint, $month::date FROM counted HAVING sum(seconds) > 0
  ON CONFLICT (user_id) DO UPDATE
     SET streaming_seconds = ${inMonth('quotas.streaming_month', 'quotas.streaming_seconds')} + excluded.streaming_seconds,
         streaming_month = greatest(quotas.streaming_month, excluded.streaming_month)`;
