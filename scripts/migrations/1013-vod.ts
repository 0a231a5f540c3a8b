import type { Migration } from './migration.js';

/**
 * Published items (`docs/contract.md#fields-vod-item`), and those that were withdrawn after viewers had paid for them
 * (`docs/decisions/offers.md`). The price and the bundle of an item are set with the license type that needs them, and with no other.
 * Positions in a bundle are 0, 1, 2 ... without a gap, checked when a transaction commits.
 */
export const vod: Migration = {
  name: '1013-vod',
  up: `
    CREATE TABLE vod_items (
      id uuid PRIMARY KEY,
      owner_id uuid NOT NULL REFERENCES users (id),
      box_item_id uuid NOT NULL REFERENCES box_items (id),
      license_type text NOT NULL,
      cc_type text,
      price_per_view_cents bigint CHECK (price_per_view_cents > 0),
      bundle_id uuid REFERENCES bundles (id),
      bundle_position integer CHECK (bundle_position >= 0),
      public boolean NOT NULL DEFAULT true,
      published_at timestamptz NOT NULL,
      expires_at timestamptz,
      updated_at timestamptz NOT NULL,
      CONSTRAINT vod_items_bundle CHECK ((license_type = 'CONTENT_BUNDLE') = (bundle_id IS NOT NULL)),
      CONSTRAINT vod_items_bundle_place UNIQUE (bundle_id, bundle_position) DEFERRABLE INITIALLY DEFERRED,
      CONSTRAINT vod_items_in_bundle CHECK ((bundle_id IS NULL) = (bundle_position IS NULL)),
      CONSTRAINT vod_items_price CHECK ((license_type = 'PAY_PER_VIEW') = (price_per_view_cents IS NOT NULL))
    );
    CREATE INDEX vod_items_box_item ON vod_items (box_item_id);
    CREATE UNIQUE INDEX vod_items_once_in_bundle ON vod_items (bundle_id, box_item_id) WHERE bundle_id IS NOT NULL;
    CREATE INDEX vod_items_owner ON vod_items (owner_id, published_at DESC);

    CREATE TABLE withdrawn_vod_items (
      id uuid PRIMARY KEY,
      owner_id uuid NOT NULL REFERENCES users (id),
      box_item_id uuid NOT NULL REFERENCES box_items (id),
      license_type text NOT NULL,
      cc_type text,
      price_per_view_cents bigint,
      public boolean NOT NULL,
      published_at timestamptz NOT NULL,
      expires_at timestamptz,
      withdrawn_at timestamptz NOT NULL,
      subscribers_until timestamptz
    );
    CREATE INDEX withdrawn_vod_items_box_item ON withdrawn_vod_items (box_item_id);
  `,
};
