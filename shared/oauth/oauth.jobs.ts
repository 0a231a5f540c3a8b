import { definePeriodicJob } from '../platform/queue/index.js';

/** Deletes expired tokens, token families, mail tokens, and accounts never activated. */
export const sweepTokens = definePeriodicJob({
  name: 'oauth.sweep',
  timeoutMs: 5 * 60_000,
});
