import Joi from 'joi';
import { defineJob } from './queue/job.js';

/** Removes old rows of `clock_ticks`. */
export const sweepTicks = defineJob({
  name: 'platform.sweepTicks',
  queue: 'sweeps',
  payload: Joi.object<object, true>({}),
  key: () => 'platform-sweep-ticks',
  attempts: 3,
  backoffMs: 60_000,
  timeoutMs: 60_000,
});
