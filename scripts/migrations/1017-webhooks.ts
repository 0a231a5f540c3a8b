import type { Migration } from './migration.js';

/**
 * Webhooks of users, the events that were recorded for them, and a delivery for each webhook that an event is sent to. The body of
 * an event is stored in its final bytes, because its signature covers them. `end_recorded`: the event of the end of a subscription
 * was recorded.
 */
export const webhooks: Migration = {
  name: '1017-webhooks',
  up: `
    CREATE TABLE webhooks (
      id uuid PRIMARY KEY,
      owner_id uuid NOT NULL REFERENCES users (id),
      url text NOT NULL,
      events text[] NOT NULL,
      enabled boolean NOT NULL,
      disabled_by text CHECK (disabled_by IN ('OWNER', 'RECEIVER', 'FAILURES')),
      secret text NOT NULL,
      previous_secret text,
      previous_secret_until timestamptz,
      failing_since timestamptz,
      unanswered integer NOT NULL DEFAULT 0,
      resumes_at timestamptz,
      lease_owner text,
      lease_until timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CHECK (enabled = (disabled_by IS NULL))
    );
    CREATE INDEX webhooks_owner ON webhooks (owner_id, created_at);

    CREATE TABLE webhook_events (
      id uuid PRIMARY KEY,
      type text NOT NULL,
      body text NOT NULL,
      occurred_at timestamptz NOT NULL
    );
    CREATE INDEX webhook_events_occurred_at ON webhook_events (occurred_at);

    CREATE TABLE webhook_deliveries (
      id uuid PRIMARY KEY,
      webhook_id uuid NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
      event_id uuid NOT NULL REFERENCES webhook_events (id) ON DELETE CASCADE,
      state text NOT NULL CHECK (state IN ('WAITING', 'DELIVERED', 'FAILED')),
      attempts integer NOT NULL DEFAULT 0,
      waits_since timestamptz NOT NULL,
      due_at timestamptz NOT NULL,
      attempted_at timestamptz,
      response_status integer,
      failure text,
      created_at timestamptz NOT NULL
    );
    CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, created_at DESC);
    CREATE INDEX webhook_deliveries_event ON webhook_deliveries (event_id);
    CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at) WHERE state = 'WAITING';

    ALTER TABLE bundle_subscriptions ADD COLUMN end_recorded boolean NOT NULL DEFAULT false;
    UPDATE bundle_subscriptions SET end_recorded = true WHERE expires_at <= now();
    CREATE INDEX bundle_subscriptions_end ON bundle_subscriptions (expires_at) WHERE NOT end_recorded;
  `,
};
