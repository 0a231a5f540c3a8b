import Joi from 'joi';
import { defineJob } from './queue/job.js';

/** Removes old rows of `clock_ticks` and `attempt_counts`. */
export const sweepPlatform = defineJob({
  name: 'platform.sweep',
  queue: 'sweeps',
  payload: Joi.object<object, true>({}),
  key: () => 'platform-sweep',
  attempts: 3,
  backoffMs: 60_000,
  timeoutMs: 60_000,
});
