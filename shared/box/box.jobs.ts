import { definePeriodicJob } from '../platform/queue/job.js';

const minute = 60_000;

/** Cleans up after interrupted uploads: staged files with their reservations, unfinished writes, old progress rows and download tokens. */
export const sweepUploads = definePeriodicJob({
  name: 'box.sweepUploads',
  timeoutMs: 15 * minute,
});
