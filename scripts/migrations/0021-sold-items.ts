import type { Migration } from './migration.js';

/**
 * Items that were withdrawn after viewers had paid for them (`docs/decisions/vod.md`), and the items that left a bundle
 * while it had subscribers. `withdrawn_vod_items` is a table of its own, so that a process of an earlier release does not
 * list its rows. `checked_at` limits how often the payment provider is queried for one payment.
 */
export const soldItems: Migration = {
  name: '0021-sold-items',
  up: `
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

    CREATE TABLE bundle_departures (
      vod_id uuid NOT NULL,
      bundle_id uuid NOT NULL REFERENCES bundles (id),
      plays_until timestamptz NOT NULL,
      PRIMARY KEY (vod_id, bundle_id)
    );
    CREATE INDEX bundle_departures_bundle ON bundle_departures (bundle_id, plays_until);

    ALTER TABLE payments ADD COLUMN checked_at timestamptz;
    CREATE INDEX payments_item ON payments (kind, item_id) WHERE state IN ('CREATED', 'OPEN', 'EXPIRED');
    CREATE INDEX payments_content ON payments ((terms ->> 'contentId')) WHERE state IN ('CREATED', 'OPEN', 'EXPIRED');
    CREATE INDEX entitlements_item ON entitlements (kind, item_id);
  `,
};
