import Joi from 'joi';
import { defineJob } from '../platform/queue/job.js';

/** Deletes expired tokens, token families, mail tokens, and accounts never activated. */
export const sweepTokens = defineJob({
  name: 'oauth.sweep',
  queue: 'sweeps',
  payload: Joi.object({}),
  key: () => 'oauth-sweep',
  repeats: 'latest',
  attempts: 1,
  backoffMs: 1000,
  timeoutMs: 5 * 60_000,
});
