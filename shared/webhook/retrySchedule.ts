const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Pauses between two attempts of a delivery; the last pause repeats. */
const pausesMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour] as const;
const maxWaitMs = 3 * day;

const firstSilenceMs = 10 * second;
const maxSilenceMs = hour;

/** A delivery or event that is overdue for longer has lost its job. */
export const overdueMs = 2 * minute;

/** A webhook is switched off after it has failed for this long. */
const maxFailureMs = 7 * day;

/** Maximum pause that a receiver may request (`Retry-After`). */
const maxRetryAfterMs = hour;

/**
 * Time of the next attempt after attempt number `attempts` (from 1) has failed at `now`. Null: the delivery is given up, three days
 * after `waitsSince`. Not before the time of `resumeAfterBusy`.
 */
export function nextAttemptAt(attempts: number, waitsSince: Date, now: Date, retryAfterMs = 0): Date | null {
  const pauseMs = pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? maxWaitMs;
  const next = new Date(now.getTime() + pauseMs);
  if (next.getTime() - waitsSince.getTime() > maxWaitMs) return null;
  const resumesAt = resumeAfterBusy(retryAfterMs, now);
  return resumesAt > next ? resumesAt : next;
}

/** Time of the next request to a receiver that has requested a pause (`Retry-After`). */
export function resumeAfterBusy(retryAfterMs: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(maxRetryAfterMs, retryAfterMs));
}

/**
 * Time of the next request to a receiver that did not respond `unanswered` times in a row. The pause grows exponentially, so that
 * an unreachable receiver does not use the worker slots of others.
 */
export function resumeAfterSilence(unanswered: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(maxSilenceMs, firstSilenceMs * 2 ** Math.min(unanswered - 1, 20)));
}

/** Whether a webhook that has failed again is switched off. */
export function hasFailedTooLong(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= maxFailureMs;
}

/** Deliveries that have waited since this time, or longer, are given up. */
export function givenUpSince(now: Date): Date {
  return new Date(now.getTime() - maxWaitMs);
}
