import type { Migration } from './migration.js';

/** Users: `docs/contract.md#fields-user`, `docs/contract.md#choices-users`. */
export const user: Migration = {
  name: '0002-user',
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
    CREATE UNIQUE INDEX users_user_code ON users (lower(user_code));
    CREATE UNIQUE INDEX users_email ON users (lower(email));
  `,
};
