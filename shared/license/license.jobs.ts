import { definePeriodicJob } from '../platform/queue/index.js';

/**
 * Enqueues mails about expiring and expired licenses, and about limits that are almost reached;
 * `docs/contract.md#choices-licenses`.
 */
export const noticeLicenses = definePeriodicJob({
  name: 'license.notice',
  timeoutMs: 5 * 60_000,
});
