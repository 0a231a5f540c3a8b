import type { Migration } from './migration.js';

/**
 * Bundles, their items and subscriptions: `docs/contract.md#bundles`, `docs/contract.md#bundle-items`. An item of a bundle
 * is a published item with a position in it; positions are 0, 1, 2 ... without a gap, checked when a transaction commits.
 * A bundle row is never deleted: a payment that was started before its owner deleted the bundle may still arrive, and
 * subscriptions refer to it.
 */
export const bundle: Migration = {
  name: '0014-bundle',
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

    ALTER TABLE vod_items
      ADD COLUMN price_per_view_cents bigint CHECK (price_per_view_cents > 0),
      ADD COLUMN bundle_id uuid REFERENCES bundles (id),
      ADD COLUMN bundle_position integer CHECK (bundle_position >= 0),
      ADD CONSTRAINT vod_items_in_bundle CHECK ((bundle_id IS NULL) = (bundle_position IS NULL)),
      ADD CONSTRAINT vod_items_bundle_place UNIQUE (bundle_id, bundle_position) DEFERRABLE INITIALLY DEFERRED;
    CREATE UNIQUE INDEX vod_items_once_in_bundle ON vod_items (bundle_id, box_item_id) WHERE bundle_id IS NOT NULL;

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
