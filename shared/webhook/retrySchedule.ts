const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Between two attempts of a delivery; the last one repeats. */
const pausesMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour] as const;
const maxWaitMs = 3 * day;

const firstSilenceMs = 10 * second;
const maxSilenceMs = hour;

/** What is due for longer has lost its job. */
export const overdueMs = 2 * minute;

/** Without a delivery for this long, a webhook that fails is switched off. */
const maxFailureMs = 7 * day;

/** Longest pause of a receiver that asks for one (`Retry-After`). */
const maxRetryAfterMs = hour;

/**
 * When a delivery is tried again, whose attempt number `attempts` (from 1) has failed at `now`; null: given up, three days after
 * `waitsSince`. Not before the receiver permits it: `resumeAfterBusy`.
 */
export function nextAttemptAt(attempts: number, waitsSince: Date, now: Date, retryAfterMs = 0): Date | null {
  const pauseMs = pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? maxWaitMs;
  const next = new Date(now.getTime() + pauseMs);
  if (next.getTime() - waitsSince.getTime() > maxWaitMs) return null;
  const resumesAt = resumeAfterBusy(retryAfterMs, now);
  return resumesAt > next ? resumesAt : next;
}

/** When a receiver is sent something again that has asked to wait for so long. */
export function resumeAfterBusy(retryAfterMs: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(maxRetryAfterMs, retryAfterMs));
}

/**
 * When a receiver is tried again that was not reached `unanswered` times, one after the other: it must not take the turns of
 * others, however many events wait for it.
 */
export function resumeAfterSilence(unanswered: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(maxSilenceMs, firstSilenceMs * 2 ** Math.min(unanswered - 1, 20)));
}

/** Whether a webhook that has failed again is given up. */
export function hasFailedTooLong(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= maxFailureMs;
}

/** The latest end of attempts of deliveries that wait: those that wait since then, or for longer, are given up. */
export function givenUpSince(now: Date): Date {
  return new Date(now.getTime() - maxWaitMs);
}
