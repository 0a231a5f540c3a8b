import Joi from 'joi';
import { defineJob } from '../platform/queue/job.js';

/** Enqueues mails about licenses that expire soon or have expired, and about limits nearly reached; `docs/contract.md#choices-licenses`. */
export const noticeLicenses = defineJob({
  name: 'license.notice',
  queue: 'sweeps',
  payload: Joi.object({}),
  key: () => 'license-notice',
  repeats: 'latest',
  attempts: 1,
  backoffMs: 1000,
  timeoutMs: 5 * 60_000,
});
