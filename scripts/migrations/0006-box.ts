import type { Migration } from './migration.js';

/** Box items: contents in the box of a user (`docs/contract.md#fields-box-item`). */
export const box: Migration = {
  name: '0006-box',
  up: `
    CREATE TABLE box_items (
      id uuid PRIMARY KEY,
      owner_id uuid NOT NULL REFERENCES users (id),
      content_id uuid NOT NULL REFERENCES contents (id),
      source text NOT NULL CHECK (source IN ('UPLOAD', 'MARKET_PLACE', 'LIVE')),
      title text NOT NULL,
      description text,
      tags text[] NOT NULL DEFAULT '{}',
      thumbnail_id uuid REFERENCES thumbnails (id) ON DELETE SET NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX box_items_owner ON box_items (owner_id, created_at DESC);
    CREATE INDEX box_items_content ON box_items (content_id);
  `,
};
