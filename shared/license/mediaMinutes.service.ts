import { waitingWorkOf } from '../content/content.queries.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { QuotaExceededError } from '../platform/errors.js';
import { Tunable } from '../platform/tunable.js';
import { currentMonth, ensureQuota, inMonth, usageOf, type Usage } from './usage.service.js';

/**
 * A user's media minutes of this month compared with the plan: `WITHIN` its allowance; `BEYOND` it: contents are
 * processed after those of all other users; `REFUSED`, far beyond it: no more contents are processed.
 */
export type MediaAllowance = 'WITHIN' | 'BEYOND' | 'REFUSED';

/** Percentage of the plan's media minutes. To let users process more, operators assign a plan with more minutes. */
const refusedPercent = 200;
/**
 * Maximum number of a user's chunks that wait for processing. It prevents one account from filling the queues, and is
 * far above any plan's monthly allowance.
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

/** Counted in addition for every upload: its inspection costs time, and its id is never deleted. */
export const uploadSeconds = 10;

/**
 * Adds processed media to a user's current month. `shared/content/mediaSeconds.ts` defines how much a content counts.
 */
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
 * Checks before an upload is read that its processing will be accepted. Throws QuotaExceededError if the user is far
 * beyond the month's media minutes, or has too much waiting work.
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
