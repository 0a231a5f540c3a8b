import type { Migration } from './migration.js';

/**
 * Users, single-use mail tokens, and changes of an e-mail address that are confirmed by mail: `docs/contract.md#fields-user`,
 * `docs/contract.md#choices-users`. Secrets are stored as hashes only. Of several accounts with one address at most one is activated.
 */
export const user: Migration = {
  name: '1002-user',
  up: `
    CREATE TABLE users (
      id uuid PRIMARY KEY,
      user_code text NOT NULL,
      password_hash text NOT NULL,
      state text NOT NULL CHECK (state IN ('PENDING', 'ACTIVE', 'DISABLED')),
      language text NOT NULL,
      email text NOT NULL,
      first_name text NOT NULL,
      last_name text NOT NULL,
      birth_date date NOT NULL,
      thumbnail_id uuid,
      page_title text,
      page_description text,
      facebook_url text,
      twitter_contact text,
      linkedin_url text,
      paypal_email text,
      company_name text,
      company_confirm boolean NOT NULL DEFAULT false,
      vat_number text,
      tax_code text,
      billing_address jsonb NOT NULL DEFAULT '{}',
      transcoder_notify_enabled boolean NOT NULL DEFAULT false,
      vod_public boolean NOT NULL DEFAULT true,
      live_password text,
      last_activity_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE UNIQUE INDEX users_email ON users (lower(email)) WHERE state <> 'PENDING';
    CREATE UNIQUE INDEX users_user_code ON users (lower(user_code));

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
    CREATE INDEX email_changes_created ON email_changes (created_at);
    CREATE INDEX email_changes_user ON email_changes (user_id, created_at);

    CREATE TABLE mail_tokens (
      token_hash bytea PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      purpose text NOT NULL CHECK (purpose IN ('ACTIVATION', 'RENEWAL')),
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX mail_tokens_expiry ON mail_tokens (expires_at);
    CREATE INDEX mail_tokens_user ON mail_tokens (user_id);
  `,
};
