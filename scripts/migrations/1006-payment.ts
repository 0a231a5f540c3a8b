import type { Migration } from './migration.js';

/**
 * Payments, the events of their providers, and the orders of the sandbox provider: `docs/contract.md#choices-payments`. The
 * tracking id may be the only proof of an anonymous buyer, so jobs and logs name a payment by its `id`. Entitlements are single
 * views and other single purchases. The holder is a user or, for a purchase without login, everybody who knows the tracking id. The
 * time of a view begins with its first playback (`docs/contract.md#choices-vod`).
 */
export const payment: Migration = {
  name: '1006-payment',
  up: `
    CREATE TABLE payments (
      tracking_id uuid PRIMARY KEY,
      id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
      kind text NOT NULL,
      item_id text NOT NULL,
      buyer_id uuid REFERENCES users (id),
      seller_id uuid REFERENCES users (id),
      amount_cents bigint NOT NULL CHECK (amount_cents > 0),
      currency text NOT NULL,
      title text NOT NULL,
      terms jsonb NOT NULL DEFAULT '{}',
      provider text NOT NULL,
      provider_reference text,
      capture_id text,
      checkout_url text,
      state text NOT NULL CHECK (state IN ('CREATED', 'OPEN', 'FULFILLED', 'REJECTED', 'EXPIRED', 'FAILED', 'REVERSED')),
      failure text,
      checks integer NOT NULL DEFAULT 0,
      answered_check integer NOT NULL DEFAULT 0,
      lease_owner text,
      lease_until timestamptz,
      checked_at timestamptz,
      intervals integer NOT NULL DEFAULT 0,
      next_check_at timestamptz,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      fulfilled_at timestamptz,
      updated_at timestamptz NOT NULL,
      UNIQUE (provider, capture_id),
      UNIQUE (provider, provider_reference)
    );
    CREATE INDEX payments_buyer ON payments (buyer_id, kind, item_id);
    CREATE INDEX payments_content ON payments (((terms ->> 'contentId')))
      WHERE state IN ('CREATED', 'OPEN', 'EXPIRED');
    CREATE INDEX payments_due ON payments (next_check_at) WHERE state IN ('CREATED', 'OPEN');
    CREATE INDEX payments_item ON payments (kind, item_id) WHERE state IN ('CREATED', 'OPEN', 'EXPIRED');
    CREATE INDEX payments_paid ON payments (kind, item_id) WHERE state = 'FULFILLED';

    CREATE TABLE payment_events (
      provider text NOT NULL,
      event_id text NOT NULL,
      received_at timestamptz NOT NULL,
      PRIMARY KEY (provider, event_id)
    );
    CREATE INDEX payment_events_received ON payment_events (received_at);

    CREATE TABLE sandbox_orders (
      reference uuid PRIMARY KEY,
      idempotency_key uuid NOT NULL UNIQUE,
      title text NOT NULL,
      amount_cents bigint NOT NULL,
      currency text NOT NULL,
      return_url text NOT NULL,
      cancel_url text NOT NULL,
      state text NOT NULL CHECK (state IN ('OPEN', 'APPROVED', 'CAPTURED', 'REFUNDED', 'REJECTED')),
      behaviour text NOT NULL DEFAULT 'PLAIN',
      captured_cents bigint,
      capture_id uuid UNIQUE,
      captures integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      payable_at timestamptz
    );

    CREATE TABLE entitlements (
      tracking_id uuid PRIMARY KEY REFERENCES payments (tracking_id),
      holder_id uuid REFERENCES users (id),
      kind text NOT NULL,
      item_id uuid NOT NULL,
      granted_at timestamptz NOT NULL,
      first_used_at timestamptz,
      expires_at timestamptz
    );
    CREATE INDEX entitlements_holder ON entitlements (holder_id, kind, item_id) WHERE holder_id IS NOT NULL;
    CREATE INDEX entitlements_item ON entitlements (kind, item_id);
  `,
};
