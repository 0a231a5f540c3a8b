import Joi from 'joi';
import { defineJob } from '../../platform/queue/job.js';

const minute = 60_000;

/** Finds programs whose contents may no longer be aired, and tells their owners. */
export const sweepRights = defineJob({
  name: 'cast.sweepRights',
  queue: 'sweeps',
  payload: Joi.object<Record<string, never>, true>({}),
  key: () => 'cast.sweepRights',
  repeats: 'latest',
  attempts: 1,
  backoffMs: 1_000,
  timeoutMs: 5 * minute,
});
