import type { Migration } from './migration.js';

/** The trace that a job belongs to, as a `traceparent`. Null: none is recorded. */
export const traces: Migration = {
  name: '1027-traces',
  up: 'ALTER TABLE outbox ADD COLUMN traceparent text',
};
