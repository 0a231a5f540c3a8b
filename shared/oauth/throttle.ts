import { createHash } from 'node:crypto';
import type { Context } from '../platform/context.js';
import { TooManyRequestsError } from '../platform/errors.js';

/** One thing whose failures are counted, over all web processes. */
interface Subject {
  readonly name: string;
  readonly maximumFailures: number;
  readonly windowSeconds: number;
}

/** Who a login attempt is counted against: the account that is tried, and the address that tries. */
export function loginSubjects(
  ctx: Context,
  attempt: { readonly userCode?: string; readonly remoteAddress: string },
): readonly Subject[] {
  const { guardedCallsPerMinute } = ctx.config.http;
  const { loginFailuresPerUser } = ctx.config.oauth;
  const address = {
    name: `address:${attempt.remoteAddress}`,
    maximumFailures: guardedCallsPerMinute,
    windowSeconds: 60,
  };
  if (attempt.userCode === undefined) return [address];
  // Hashed: people type passwords into the wrong field, and the name may be of any length.
  const account = createHash('sha256').update(attempt.userCode.toLowerCase()).digest('base64url');
  return [{ name: `user:${account}`, maximumFailures: loginFailuresPerUser, windowSeconds: 300 }, address];
}

/** Throws TooManyRequestsError while one of the subjects has failed too often. Successes are never counted. */
export async function assertNotThrottled(ctx: Context, subjects: readonly Subject[]): Promise<void> {
  const now = ctx.clock.now();
  const rows = await ctx.db.rows<{ subject: string; failures: number; window_ends_at: Date }>(
    'SELECT subject, failures, window_ends_at FROM login_failures WHERE subject = ANY($names) AND window_ends_at > $now',
    { names: subjects.map(({ name }) => name), now },
  );
  for (const row of rows) {
    const subject = subjects.find(({ name }) => name === row.subject);
    if (!subject || row.failures < subject.maximumFailures) continue;
    throw new TooManyRequestsError(Math.max(1, Math.ceil((row.window_ends_at.getTime() - now.getTime()) / 1000)));
  }
}

export async function countFailure(ctx: Context, subjects: readonly Subject[]): Promise<void> {
  const now = ctx.clock.now();
  for (const { name, windowSeconds } of subjects) {
    await ctx.db.change(
      `INSERT INTO login_failures (subject, failures, window_ends_at) VALUES ($name, 1, $windowEndsAt)
       ON CONFLICT (subject) DO UPDATE SET
         failures = CASE WHEN login_failures.window_ends_at > $now THEN login_failures.failures + 1 ELSE 1 END,
         window_ends_at = CASE WHEN login_failures.window_ends_at > $now THEN login_failures.window_ends_at ELSE $windowEndsAt END`,
      { name, now, windowEndsAt: new Date(now.getTime() + windowSeconds * 1000) },
    );
  }
}
