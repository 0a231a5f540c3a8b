import { waitingWorkOf } from '../content/content.queries.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { QuotaExceededError } from '../platform/errors.js';
import { Tunable } from '../platform/tunable.js';
import { currentMonth, ensureQuota, inMonth, usageOf, type Usage } from './usage.service.js';

/**
 * Where a user is in the media minutes of this month: `WITHIN` the allowance of the plan, `BEYOND` it (contents are
 * processed after those of all others), or `REFUSED` (far beyond it: nothing more is processed).
 */
export type MediaAllowance = 'WITHIN' | 'BEYOND' | 'REFUSED';

/** Percent of the media minutes of a plan. A plan with more minutes is how operators let users process more. */
const refusedPercent = 200;
/**
 * Chunks of one user that may wait for processing. Far more than a plan allows in a month: it keeps one account from filling
 * the queues.
 */
export const maxWaitingChunks = new Tunable(10_000);

export async function mediaAllowanceOf(ctx: Context, userId: string): Promise<MediaAllowance> {
  return mediaMinutesAllowance(await usageOf(ctx, userId));
}

/** A plan with 0 media minutes has no limit. */
export function mediaMinutesAllowance({
  mediaSeconds,
  mediaMinutesLimit,
}: Pick<Usage, 'mediaSeconds' | 'mediaMinutesLimit'>): MediaAllowance {
  const limitSeconds = mediaMinutesLimit * 60;
  if (limitSeconds === 0 || mediaSeconds < limitSeconds) return 'WITHIN';
  return mediaSeconds * 100 < limitSeconds * refusedPercent ? 'BEYOND' : 'REFUSED';
}

/** Every upload counts this much in addition: it is inspected, and its id is kept for ever. */
export const uploadSeconds = 10;

/** Adds processed media to the current month of a user. `shared/content/mediaSeconds.ts` says how much a content counts. */
export async function recordMediaSeconds(
  ctx: Context,
  tx: Transaction,
  userId: string,
  seconds: number,
): Promise<void> {
  await ensureQuota(ctx, userId, tx);
  await ctx.db.change(
    `UPDATE quotas
        SET media_seconds = ${inMonth('media_month', 'media_seconds')} + $seconds::bigint,
            media_month = greatest(media_month, $month::date)
      WHERE user_id = $userId`,
    { userId, month: await currentMonth(ctx, tx), seconds: Math.ceil(seconds) },
    tx,
  );
}

/**
 * Checks, before an upload is read, that its processing would be accepted. Throws QuotaExceededError: far beyond the media
 * minutes of the month, or with too much work waiting.
 */
export async function assertMayProcess(ctx: Context, userId: string): Promise<void> {
  const maximum = ctx.config.limit(maxWaitingChunks);
  const usage = await usageOf(ctx, userId);
  if (mediaMinutesAllowance(usage) === 'REFUSED') {
    const values = { minutes: Math.floor(usage.mediaSeconds / 60), limit: usage.mediaMinutesLimit };
    const exceeded = { maximum: usage.mediaMinutesLimit, unit: 'minutes' } as const;
    throw new QuotaExceededError('MEDIA_MINUTES', { key: 'license.mediaMinutes', values, exceeded });
  }
  if ((await waitingWorkOf(ctx, userId)) >= maximum)
    throw new QuotaExceededError('WAITING_WORK', {
      key: 'license.waitingWork',
      values: { limit: maximum },
      exceeded: { maximum, unit: 'chunks' },
    });
}
