import type { Migration } from './migration.js';

/** Where web processes read the newest half seconds of a run (`docs/decisions/live.md#low-latency`). */
export const liveParts: Migration = {
  name: '0027-live-parts',
  up: 'ALTER TABLE live_runs ADD COLUMN parts_url text',
};
