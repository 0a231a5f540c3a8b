import type { Migration } from './migration.js';

/**
 * `unrendered_events` contains every event until a worker renders it, with the webhooks that receive it. Null: recorded by an
 * earlier release; the webhooks that receive its type at the time of rendering.
 */
export const recordedEvents: Migration = {
  name: '1043-recorded-events',
  up: `
    ALTER TABLE unrendered_events ADD COLUMN webhook_ids text[];
    CREATE INDEX unrendered_events_owner ON unrendered_events (owner_id, occurred_at);
  `,
};
