import { definePeriodicJob } from '../platform/queue/index.js';

/** Records the events of ended subscriptions. */
export const sweepSubscriptions = definePeriodicJob({ name: 'bundle.sweepSubscriptions', timeoutMs: 5 * 60_000 });
