import type { Migration } from './migration.js';

/** Permissions to download a content (`docs/contract.md#choices-box`). Tokens are stored as hashes only. */
export const download: Migration = {
  name: '0009-download',
  up: `
    CREATE TABLE download_tokens (
      token_hash bytea PRIMARY KEY,
      content_id uuid NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
      user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      expires_at timestamptz NOT NULL,
      used_at timestamptz,
      used_from text
    );
    CREATE INDEX download_tokens_expires_at ON download_tokens (expires_at);
  `,
};
