import { definePeriodicJob } from '../platform/queue/index.js';

/** Deletes expired tokens, token families and mail tokens, and accounts that were never activated. */
export const sweepTokens = definePeriodicJob({
  name: 'oauth.sweep',
  timeoutMs: 5 * 60_000,
});
