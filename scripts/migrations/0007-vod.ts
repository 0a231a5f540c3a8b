import type { Migration } from './migration.js';

/** Published items: `docs/contract.md#fields-vod-item`. Later migrations add prices and bundles. */
export const vod: Migration = {
  name: '0007-vod',
  up: `
    CREATE TABLE vod_items (
      id uuid PRIMARY KEY,
      owner_id uuid NOT NULL REFERENCES users (id),
      box_item_id uuid NOT NULL REFERENCES box_items (id),
      license_type text NOT NULL,
      cc_type text,
      public boolean NOT NULL DEFAULT true,
      published_at timestamptz NOT NULL,
      expires_at timestamptz,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX vod_items_owner ON vod_items (owner_id, published_at DESC);
    CREATE INDEX vod_items_box_item ON vod_items (box_item_id);
  `,
};
