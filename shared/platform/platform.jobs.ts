import { definePeriodicJob } from './queue/job.js';

/** Removes old rows of `clock_ticks` and `attempt_counts`. */
export const sweepPlatform = definePeriodicJob({
  name: 'platform.sweep',
  repeats: 'once',
  attempts: 3,
  backoffMs: 60_000,
  timeoutMs: 60_000,
});
