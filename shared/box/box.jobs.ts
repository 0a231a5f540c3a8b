import Joi from 'joi';
import { defineJob } from '../platform/queue/job.js';

const minute = 60_000;

/** Cleans up after interrupted uploads: staged files with their reservations, unfinished writes, old progress rows and download tokens. */
export const sweepUploads = defineJob({
  name: 'box.sweepUploads',
  queue: 'sweeps',
  payload: Joi.object<Record<string, never>, true>({}),
  key: () => 'box.sweepUploads',
  repeats: 'latest',
  attempts: 1,
  backoffMs: 1_000,
  timeoutMs: 15 * minute,
});
