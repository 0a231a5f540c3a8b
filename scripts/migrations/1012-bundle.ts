import type { Migration } from './migration.js';

/**
 * Bundles and their subscriptions: `docs/contract.md#bundles`. A bundle row is never deleted: a payment that was started before its
 * owner deleted the bundle may still arrive, and subscriptions refer to it. `bundle_departures` contains the items that left a
 * bundle while it had subscribers.
 */
export const bundle: Migration = {
  name: '1012-bundle',
  up: `
    CREATE TABLE bundles (
      id uuid PRIMARY KEY,
      owner_id uuid NOT NULL REFERENCES users (id),
      name text NOT NULL,
      description text,
      price_cents bigint NOT NULL CHECK (price_cents > 0),
      duration integer NOT NULL CHECK (duration > 0),
      duration_unit text NOT NULL CHECK (duration_unit IN ('DAYS', 'MONTHS', 'YEARS')),
      thumbnail_id uuid REFERENCES thumbnails (id) ON DELETE SET NULL,
      tags text[] NOT NULL DEFAULT '{}',
      published_at timestamptz NOT NULL,
      deleted_at timestamptz,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX bundles_owner ON bundles (owner_id, published_at DESC);
    CREATE INDEX bundles_thumbnail ON bundles (thumbnail_id) WHERE thumbnail_id IS NOT NULL;

    CREATE TABLE bundle_departures (
      vod_id uuid NOT NULL,
      bundle_id uuid NOT NULL REFERENCES bundles (id),
      plays_until timestamptz NOT NULL,
      PRIMARY KEY (vod_id, bundle_id)
    );
    CREATE INDEX bundle_departures_bundle ON bundle_departures (bundle_id, plays_until);

    CREATE TABLE bundle_subscriptions (
      id uuid PRIMARY KEY,
      bundle_id uuid NOT NULL REFERENCES bundles (id),
      user_id uuid NOT NULL REFERENCES users (id),
      subscribed_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      UNIQUE (bundle_id, user_id)
    );
    CREATE INDEX bundle_subscriptions_user ON bundle_subscriptions (user_id, expires_at DESC);
  `,
};
