import { createHash } from 'node:crypto';
import type { Context } from '../platform/context.js';
import { TooManyRequestsError } from '../platform/errors.js';

/** One thing whose failures, or calls, are counted over all web processes. */
interface Subject {
  readonly name: string;
  /** Of a call that is limited as such: how many of it. */
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
  return [
    { name: `user:${digest(attempt.userCode)}`, maximumFailures: loginFailuresPerUser, windowSeconds: 300 },
    address,
  ];
}

/** Who a registration is counted against: every one, also those that are refused as taken. */
export function registrationSubjects(ctx: Context, remoteAddress: string): readonly Subject[] {
  const { registrationsPerHour } = ctx.config.http;
  return [{ name: `register:${remoteAddress}`, maximumFailures: registrationsPerHour, windowSeconds: 3600 }];
}

/** Who the start of a payment is counted against: each is a row, a job and an order at the provider. */
export function paymentSubjects(ctx: Context, remoteAddress: string): readonly Subject[] {
  const { startsPerHour } = ctx.config.payments;
  return [{ name: `pay:${remoteAddress}`, maximumFailures: startsPerHour, windowSeconds: 3600 }];
}

/** Who a wish for a new password is counted against: the account that is named, known or not, and the address. */
export function passwordResetSubjects(
  ctx: Context,
  wish: { readonly account: string; readonly remoteAddress: string },
): readonly Subject[] {
  return [
    {
      name: `renewAt:${wish.remoteAddress}`,
      maximumFailures: ctx.config.http.guardedCallsPerMinute,
      windowSeconds: 60,
    },
    { name: `renew:${digest(wish.account)}`, maximumFailures: ctx.config.oauth.renewalsPerHour, windowSeconds: 3600 },
  ];
}

/** Names are hashed: people type passwords into the wrong field, and a name may be of any length. */
function digest(name: string): string {
  return createHash('sha256').update(name.toLowerCase()).digest('base64url');
}

/** Throws TooManyRequestsError while one of the subjects has failed too often. Successes are never counted. */
export async function assertNotThrottled(ctx: Context, subjects: readonly Subject[]): Promise<void> {
  const now = ctx.clock.now();
  const rows = await ctx.db.rows<{ subject: string; failures: number; windowEndsAt: Date }>(
    'SELECT subject, failures, window_ends_at FROM login_failures WHERE subject = ANY($names) AND window_ends_at > $now',
    { names: subjects.map(({ name }) => name), now },
  );
  for (const row of rows) {
    const subject = subjects.find(({ name }) => name === row.subject);
    if (subject && row.failures >= subject.maximumFailures) throw tooMany(row, now);
  }
}

export async function countFailure(ctx: Context, subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects) await count(ctx, subject);
}

/** Counts a call that is limited whether it succeeds or not. Throws TooManyRequestsError for those beyond the limit. */
export async function assertNotTooMany(ctx: Context, subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects) {
    const counted = await count(ctx, subject);
    if (counted.failures > subject.maximumFailures) throw tooMany(counted, ctx.clock.now());
  }
}

interface Counted {
  readonly failures: number;
  readonly windowEndsAt: Date;
}

/** One more; the window begins with the first. */
async function count(ctx: Context, { name, windowSeconds }: Subject): Promise<Counted> {
  const now = ctx.clock.now();
  const windowEndsAt = new Date(now.getTime() + windowSeconds * 1000);
  const [counted] = await ctx.db.rows<Counted>(
    `INSERT INTO login_failures (subject, failures, window_ends_at) VALUES ($name, 1, $windowEndsAt)
     ON CONFLICT (subject) DO UPDATE SET
       failures = CASE WHEN login_failures.window_ends_at > $now THEN login_failures.failures + 1 ELSE 1 END,
       window_ends_at = CASE WHEN login_failures.window_ends_at > $now THEN login_failures.window_ends_at ELSE $windowEndsAt END
     RETURNING failures, window_ends_at`,
    { name, now, windowEndsAt },
  );
  return counted ?? { failures: 1, windowEndsAt: windowEndsAt };
}

function tooMany(counted: Counted, now: Date): TooManyRequestsError {
  return new TooManyRequestsError(Math.max(1, Math.ceil((counted.windowEndsAt.getTime() - now.getTime()) / 1000)));
}
