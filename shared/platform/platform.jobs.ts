import { definePeriodicJob } from './queue/index.js';

/**
 * Removes old rows of `clock_ticks`, `attempt_counts`, `caller_writes` and `shared_counts`, surplus completed jobs, and old mail
 * files.
 */
export const sweepPlatform = definePeriodicJob({
  name: 'platform.sweep',
  repeats: 'once',
  attempts: 3,
  backoffMs: 60_000,
  timeoutMs: 60_000,
});
