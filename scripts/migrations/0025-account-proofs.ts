import type { Migration } from './migration.js';

/**
 * Changes of an e-mail address that are confirmed by mail, one address in several accounts of which at most one was
 * activated (`docs/contract.md#choices-users`), and the origin of each token (`docs/contract.md#choices-tokens`). Tokens
 * that were issued before have no origin.
 */
export const accountProofs: Migration = {
  name: '0025-account-proofs',
  up: `
    CREATE TABLE email_changes (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      old_email text NOT NULL,
      new_email text NOT NULL,
      token_hash bytea UNIQUE,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      applied_at timestamptz
    );
    CREATE INDEX email_changes_user ON email_changes (user_id, created_at);
    CREATE INDEX email_changes_created ON email_changes (created_at);

    DROP INDEX users_email;
    CREATE UNIQUE INDEX users_email ON users (lower(email)) WHERE state <> 'PENDING';

    ALTER TABLE token_families ADD COLUMN client_id text;
    ALTER TABLE refresh_tokens ADD COLUMN parent_hash bytea;
    CREATE INDEX refresh_tokens_parent ON refresh_tokens (parent_hash) WHERE parent_hash IS NOT NULL;
    ALTER TABLE access_tokens
      ADD COLUMN refresh_hash bytea REFERENCES refresh_tokens (token_hash) ON DELETE CASCADE;
    CREATE INDEX access_tokens_refresh ON access_tokens (refresh_hash) WHERE refresh_hash IS NOT NULL;
  `,
};
