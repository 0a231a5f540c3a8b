import type { Migration } from './migration.js';

/**
 * Tokens (`docs/contract.md#choices-tokens`) as hashes only, the networks from which users have logged in, and the counts of failed
 * logins, whose limits depend on these networks.
 */
export const oauth: Migration = {
  name: '1005-oauth',
  up: `
    CREATE TABLE token_families (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      client_id text NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX token_families_expiry ON token_families (expires_at);
    CREATE INDEX token_families_user ON token_families (user_id);

    CREATE TABLE refresh_tokens (
      token_hash bytea PRIMARY KEY,
      family_id uuid NOT NULL REFERENCES token_families (id) ON DELETE CASCADE,
      parent_hash bytea,
      expires_at timestamptz NOT NULL,
      replaced_at timestamptz,
      ended_at timestamptz
    );
    CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);
    CREATE INDEX refresh_tokens_family ON refresh_tokens (family_id);
    CREATE INDEX refresh_tokens_parent ON refresh_tokens (parent_hash) WHERE parent_hash IS NOT NULL;

    CREATE TABLE access_tokens (
      token_hash bytea PRIMARY KEY,
      jti uuid NOT NULL,
      client_id text NOT NULL,
      user_id uuid REFERENCES users (id) ON DELETE CASCADE,
      family_id uuid REFERENCES token_families (id) ON DELETE CASCADE,
      refresh_hash bytea REFERENCES refresh_tokens (token_hash) ON DELETE CASCADE,
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX access_tokens_expiry ON access_tokens (expires_at);
    CREATE INDEX access_tokens_family ON access_tokens (family_id);
    CREATE INDEX access_tokens_refresh ON access_tokens (refresh_hash) WHERE refresh_hash IS NOT NULL;
    CREATE INDEX access_tokens_user ON access_tokens (user_id);

    CREATE TABLE login_networks (
      user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      network text NOT NULL,
      last_login_at timestamptz NOT NULL,
      PRIMARY KEY (user_id, network)
    );
    CREATE INDEX login_networks_last ON login_networks (last_login_at);
  `,
};
