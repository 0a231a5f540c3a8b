import { concurrency } from '../concurrency.js';
import type { Context } from '../context.js';
import { TooManyRequestsError } from '../errors.js';
import type { Subject } from './subject.js';

/** A counted attempt. All processes share the table `attempt_counts`. */
interface Count {
  readonly subject: string;
  readonly attempts: number;
  readonly windowEndsAt: Date;
  /** False: the subject had already reached its limit, and this attempt was not counted. */
  readonly isCounted: boolean;
}

/**
 * Runs `work`, which checks a secret, unless a subject has reached its limit. The attempt is counted before the check, so that
 * concurrent attempts cannot exceed the limit. The count is reverted unless `isFailure` reports a wrong secret: correct secrets
 * are not limited. Attempts of one subject wait for slots (`attemptsAtOnce`), so that concurrent correct ones do not reach the
 * limit. Throws TooManyRequestsError, and the errors of `work`.
 */
export function limitFailures<Result>(
  ctx: Context,
  subjects: readonly Subject[],
  work: () => Promise<Result>,
  isFailure: IsFailure<Result>,
): Promise<Result> {
  // Always in the same order, to prevent deadlocks.
  const ordered = subjects.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const inSlots = ordered.reduceRight<() => Promise<Result>>(
    (inner, { name, limit }) =>
      () =>
        concurrency(ctx).runInSlot(`attempt: ${name}`, attemptsAtOnce(ctx.config.limit(limit)), inner),
    () => countedWhileRunning(ctx, subjects, work, isFailure),
  );
  return inSlots();
}

type IsFailure<Result> = (outcome: { readonly result?: Result; readonly error?: unknown }) => boolean;

/**
 * Attempts of a subject that one process evaluates at the same time. Each counts while it is evaluated. With at most five
 * processes, correct attempts alone never reach the limit.
 */
function attemptsAtOnce(maximum: number): number {
  return Math.max(1, Math.floor(maximum / 5));
}

async function countedWhileRunning<Result>(
  ctx: Context,
  subjects: readonly Subject[],
  work: () => Promise<Result>,
  isFailure: IsFailure<Result>,
): Promise<Result> {
  const counts = await countAttempt(ctx, subjects);
  let outcome: { readonly result?: Result; readonly error?: unknown } = {};
  try {
    const result = await work();
    outcome = { result };
    return result;
  } catch (error) {
    outcome = { error };
    throw error;
  } finally {
    if (!isFailure(outcome)) await revertCounts(ctx, counts);
  }
}

/**
 * Runs `work` unless a subject has reached its limit, and counts it unless it rejects: failed work can be retried without
 * counting again. Throws TooManyRequestsError, and the errors of `work`.
 */
export function limitDone<Result>(
  ctx: Context,
  subjects: readonly Subject[],
  work: () => Promise<Result>,
): Promise<Result> {
  return countedWhileRunning(ctx, subjects, work, ({ error }) => error === undefined);
}

/** Counts a call regardless of its outcome. Throws TooManyRequestsError for calls beyond the limit. */
export async function limitCalls(ctx: Context, subjects: readonly Subject[]): Promise<void> {
  await countAttempt(ctx, subjects);
}

/**
 * Counts an attempt for every subject, or for none if one has reached its limit: then throws TooManyRequestsError. A caller
 * beyond a limit causes one read and no write.
 */
async function countAttempt(ctx: Context, subjects: readonly Subject[]): Promise<readonly Count[]> {
  const now = ctx.clock.now();
  const counts = await ctx.db.rows<Count>(
    `WITH attempt AS (
       SELECT * FROM unnest($names::text[], $maximums::integer[], $windowEnds::timestamptz[])
                  AS requested (subject, maximum, window_ends_at)
     ), reached AS (
       SELECT f.subject, f.attempts + 1 AS attempts, f.window_ends_at
         FROM attempt a JOIN attempt_counts f ON f.subject = a.subject
        WHERE f.window_ends_at > $now AND f.attempts >= a.maximum
     ), counted AS (
       INSERT INTO attempt_counts AS f (subject, attempts, window_ends_at)
       SELECT subject, 1, window_ends_at FROM attempt WHERE NOT EXISTS (SELECT FROM reached) ORDER BY subject
       ON CONFLICT (subject) DO UPDATE SET
         attempts = CASE WHEN f.window_ends_at > $now THEN f.attempts + 1 ELSE 1 END,
         window_ends_at = CASE WHEN f.window_ends_at > $now THEN f.window_ends_at ELSE excluded.window_ends_at END
       RETURNING f.subject, f.attempts, f.window_ends_at
     )
     SELECT subject, attempts, window_ends_at, false AS is_counted FROM reached
     UNION ALL SELECT subject, attempts, window_ends_at, true FROM counted`,
    {
      names: subjects.map(({ name }) => name),
      maximums: subjects.map(({ limit }) => ctx.config.limit(limit)),
      windowEnds: subjects.map(({ windowSeconds }) => new Date(now.getTime() + windowSeconds * 1000)),
      now,
    },
  );
  for (const subject of subjects) {
    const count = counts.find((one) => one.subject === subject.name);
    if (!count || count.attempts <= ctx.config.limit(subject.limit)) continue;
    // A concurrent attempt has reached the limit.
    if (count.isCounted) await revertCounts(ctx, counts);
    throw attemptsExceeded(ctx, subject, count.windowEndsAt.getTime() - now.getTime());
  }
  return counts;
}

/** The error for an attempt beyond the limit of a subject whose window ends after `remainingMs`. */
export function attemptsExceeded(
  { config }: Pick<Context, 'config'>,
  { limit, windowSeconds }: Subject,
  remainingMs: number,
): TooManyRequestsError {
  const retryAfterSeconds = Math.max(1, Math.ceil(remainingMs / 1000));
  return new TooManyRequestsError(retryAfterSeconds, { maximum: config.limit(limit), seconds: windowSeconds });
}

/** Reverts counts, except in windows that have ended since. Rows are locked in the order of counting. */
async function revertCounts(ctx: Context, counts: readonly Count[]): Promise<void> {
  await ctx.db.change(
    `UPDATE attempt_counts f SET attempts = f.attempts - 1
       FROM (SELECT l.subject FROM attempt_counts l
               JOIN unnest($names::text[], $windowEnds::timestamptz[]) AS counted (subject, window_ends_at)
                 ON l.subject = counted.subject AND l.window_ends_at = counted.window_ends_at
              ORDER BY l.subject FOR UPDATE OF l) locked
      WHERE f.subject = locked.subject AND f.attempts > 0`,
    { names: counts.map(({ subject }) => subject), windowEnds: counts.map(({ windowEndsAt }) => windowEndsAt) },
  );
}
