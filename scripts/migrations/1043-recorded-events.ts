import type { Migration } from './migration.js';

/**
 * `unrendered_events` has every event until a worker renders it, with the webhooks that get it. Null: those that get its type when it is
 * rendered, as earlier processes recorded it.
 */
export const recordedEvents: Migration = {
  name: '1043-recorded-events',
  up: `
    ALTER TABLE unrendered_events ADD COLUMN webhook_ids text[];
    CREATE INDEX unrendered_events_owner ON unrendered_events (owner_id, occurred_at);
  `,
};
