import type { Migration } from './migration.js';

/**
 * Where web processes read the newest half seconds of a run (`docs/decisions/live.md#low-latency`), and an index for what
 * was paid for an item (`paidTerms`).
 */
export const liveParts: Migration = {
  name: '0027-live-parts',
  up: `
    ALTER TABLE live_runs ADD COLUMN parts_url text;
    CREATE INDEX payments_paid ON payments (kind, item_id) WHERE state = 'FULFILLED';
  `,
};
