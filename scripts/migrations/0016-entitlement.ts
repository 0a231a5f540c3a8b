import type { Migration } from './migration.js';

/**
 * Entitlements: single views and other single purchases. The holder is a user or, for a purchase without login, the person
 * who knows the tracking id. The time of a view begins with its first play (`docs/contract.md#choices-vod`). The price
 * and the bundle of a published item are set with the license type that needs them, and with no other.
 */
export const entitlement: Migration = {
  name: '0016-entitlement',
  up: `
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

    ALTER TABLE vod_items
      ADD CONSTRAINT vod_items_price CHECK ((license_type = 'PAY_PER_VIEW') = (price_per_view_cents IS NOT NULL)),
      ADD CONSTRAINT vod_items_bundle CHECK ((license_type = 'CONTENT_BUNDLE') = (bundle_id IS NOT NULL));
  `,
};
