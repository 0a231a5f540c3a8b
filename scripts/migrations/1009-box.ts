import type { Migration } from './migration.js';

/**
 * Box items: contents in the box of a user (`docs/contract.md#fields-box-item`); running uploads, and permissions to download, as
 * hashes only.
 */
export const box: Migration = {
  name: '1009-box',
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
    CREATE INDEX box_items_content ON box_items (content_id);
    CREATE INDEX box_items_owner ON box_items (owner_id, created_at DESC);

    CREATE UNLOGGED TABLE upload_progress (
      user_id uuid NOT NULL,
      progress_id text NOT NULL,
      percent integer NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (user_id, progress_id)
    );
    CREATE INDEX upload_progress_updated_at ON upload_progress (updated_at);

    CREATE TABLE download_tokens (
      token_hash bytea PRIMARY KEY,
      content_id uuid NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
      user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      expires_at timestamptz NOT NULL,
      used_at timestamptz,
      used_from text,
      resumed_at timestamptz
    );
    CREATE INDEX download_tokens_expires_at ON download_tokens (expires_at);
    CREATE INDEX download_tokens_user ON download_tokens (user_id, expires_at);
  `,
};
