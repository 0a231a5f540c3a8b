import { definePeriodicJob } from './queue/index.js';

/** Removes old rows of `clock_ticks`, `attempt_counts`, `caller_writes` and `shared_counts`, completed jobs that operators do not need, and kept mails. */
export const sweepPlatform = definePeriodicJob({
  name: 'platform.sweep',
  repeats: 'once',
  attempts: 3,
  backoffMs: 60_000,
  timeoutMs: 60_000,
});
