import type { Migration } from './migration.js';

/**
 * Entitlements: single views and other single purchases. The holder is a user or, for a purchase without login, the person
 * who knows the tracking id. The time of a view begins with its first play (`docs/contract.md#choices-vod`).
 */
export const playback: Migration = {
  name: '1015-playback',
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
    CREATE INDEX entitlements_item ON entitlements (kind, item_id);
  `,
};
