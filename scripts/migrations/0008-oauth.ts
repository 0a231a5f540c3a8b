import type { Migration } from './migration.js';

/** Tokens (`docs/contract.md#choices-tokens`), single-use mail tokens (`docs/contract.md#choices-users`) and the login throttle. Secrets are stored as hashes only. */
export const oauth: Migration = {
  name: '0008-oauth',
  up: `
    CREATE TABLE token_families (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX token_families_user ON token_families (user_id);
    CREATE INDEX token_families_expiry ON token_families (expires_at);

    CREATE TABLE refresh_tokens (
      token_hash bytea PRIMARY KEY,
      family_id uuid NOT NULL REFERENCES token_families (id) ON DELETE CASCADE,
      expires_at timestamptz NOT NULL,
      replaced_at timestamptz
    );
    CREATE INDEX refresh_tokens_family ON refresh_tokens (family_id);
    CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);

    CREATE TABLE access_tokens (
      token_hash bytea PRIMARY KEY,
      jti uuid NOT NULL,
      client_id text NOT NULL,
      user_id uuid REFERENCES users (id) ON DELETE CASCADE,
      family_id uuid REFERENCES token_families (id) ON DELETE CASCADE,
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX access_tokens_family ON access_tokens (family_id);
    CREATE INDEX access_tokens_user ON access_tokens (user_id);
    CREATE INDEX access_tokens_expiry ON access_tokens (expires_at);

    CREATE TABLE mail_tokens (
      token_hash bytea PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      purpose text NOT NULL CHECK (purpose IN ('ACTIVATION', 'RENEWAL')),
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX mail_tokens_user ON mail_tokens (user_id);
    CREATE INDEX mail_tokens_expiry ON mail_tokens (expires_at);

    CREATE TABLE login_failures (
      subject text PRIMARY KEY,
      failures integer NOT NULL,
      window_ends_at timestamptz NOT NULL
    );
    CREATE INDEX login_failures_window ON login_failures (window_ends_at);
  `,
};
