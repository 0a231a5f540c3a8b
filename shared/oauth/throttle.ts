import { createHash } from 'node:crypto';
import type { Context } from '../platform/context.js';
import { TooManyRequestsError } from '../platform/errors.js';

/** Something whose failures or calls are counted over all web processes, in the table `login_failures`. */
interface Subject {
  readonly name: string;
  /** For calls that are limited whether they succeed or not: how many calls. */
  readonly maximumFailures: number;
  readonly windowSeconds: number;
}

/** A login attempt counts for the account and for the address. */
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

/** Every registration counts for the address, also one that is rejected. */
export function registrationSubjects(ctx: Context, remoteAddress: string): readonly Subject[] {
  const { registrationsPerHour } = ctx.config.http;
  return [{ name: `register:${remoteAddress}`, maximumFailures: registrationsPerHour, windowSeconds: 3600 }];
}

/** Every started payment counts for the address: each costs a row, a job and an order at the provider. */
export function paymentSubjects(ctx: Context, remoteAddress: string): readonly Subject[] {
  const { startsPerHour } = ctx.config.payments;
  return [{ name: `pay:${remoteAddress}`, maximumFailures: startsPerHour, windowSeconds: 3600 }];
}

/** A request for a password renewal counts for the account, whether it exists or not, and for the address. */
export function passwordResetSubjects(
  ctx: Context,
  request: { readonly account: string; readonly remoteAddress: string },
): readonly Subject[] {
  return [
    {
      name: `renewAt:${request.remoteAddress}`,
      maximumFailures: ctx.config.http.guardedCallsPerMinute,
      windowSeconds: 60,
    },
    {
      name: `renew:${digest(request.account)}`,
      maximumFailures: ctx.config.oauth.renewalsPerHour,
      windowSeconds: 3600,
    },
  ];
}

/** Account names are hashed: users type passwords into the wrong field, and a name can have any length. */
function digest(name: string): string {
  return createHash('sha256').update(name.toLowerCase()).digest('base64url');
}

/** Throws TooManyRequestsError while one of the subjects has too many failures in its window. Counts nothing. */
export async function assertNotThrottled(ctx: Context, subjects: readonly Subject[]): Promise<void> {
  const now = ctx.clock.now();
  const rows = await ctx.db.rows<{ subject: string; failures: number; windowEndsAt: Date }>(
    'SELECT subject, failures, window_ends_at FROM login_failures WHERE subject = ANY($names) AND window_ends_at > $now',
    { names: subjects.map(({ name }) => name), now },
  );
  for (const row of rows) {
    const subject = subjects.find(({ name }) => name === row.subject);
    if (subject && row.failures >= subject.maximumFailures) throw tooManyRequests(row.windowEndsAt, now);
  }
}

export async function countFailure(ctx: Context, subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects) await count(ctx, subject);
}

/** Counts a call, whether it will succeed or not. Throws TooManyRequestsError for calls beyond the limit. */
export async function assertNotTooMany(ctx: Context, subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects) {
    const { failures, windowEndsAt } = await count(ctx, subject);
    if (failures > subject.maximumFailures) throw tooManyRequests(windowEndsAt, ctx.clock.now());
  }
}

interface Count {
  readonly failures: number;
  readonly windowEndsAt: Date;
}

/** Counts one more in one atomic statement. The window begins with the first. */
async function count(ctx: Context, { name, windowSeconds }: Subject): Promise<Count> {
  const now = ctx.clock.now();
  const windowEndsAt = new Date(now.getTime() + windowSeconds * 1000);
  const [row] = await ctx.db.rows<Count>(
    `INSERT INTO login_failures (subject, failures, window_ends_at) VALUES ($name, 1, $windowEndsAt)
     ON CONFLICT (subject) DO UPDATE SET
       failures = CASE WHEN login_failures.window_ends_at > $now THEN login_failures.failures + 1 ELSE 1 END,
       window_ends_at = CASE WHEN login_failures.window_ends_at > $now THEN login_failures.window_ends_at ELSE $windowEndsAt END
     RETURNING failures, window_ends_at`,
    { name, now, windowEndsAt },
  );
  return row ?? { failures: 1, windowEndsAt };
}

function tooManyRequests(windowEndsAt: Date, now: Date): TooManyRequestsError {
  return new TooManyRequestsError(Math.max(1, Math.ceil((windowEndsAt.getTime() - now.getTime()) / 1000)));
}
