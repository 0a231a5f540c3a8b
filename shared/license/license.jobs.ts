import { definePeriodicJob } from '../platform/queue/index.js';

/** Enqueues mails about licenses that expire soon or have expired, and about limits nearly reached; `docs/contract.md#choices-licenses`. */
export const noticeLicenses = definePeriodicJob({
  name: 'license.notice',
  timeoutMs: 5 * 60_000,
});
