import type { Migration } from './migration.js';

/** Events of webhooks whose data could not be read in the transaction of the event. A worker renders them later. */
export const unrenderedEvents: Migration = {
  name: '1031-unrendered-events',
  up: `
    CREATE TABLE unrendered_events (
      id uuid PRIMARY KEY,
      type text NOT NULL,
      owner_id uuid NOT NULL,
      subject jsonb NOT NULL,
      occurred_at timestamptz NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      due_at timestamptz NOT NULL
    );
    CREATE INDEX unrendered_events_due_at ON unrendered_events (due_at);
  `,
};
