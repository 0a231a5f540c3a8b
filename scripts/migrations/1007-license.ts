import type { Migration } from './migration.js';

/**
 * Plans (`docs/contract.md#choices-licenses`), the stored bytes and usage of each user, and the quota reservations of running
 * uploads. The periods for which a user has paid a plan do not overlap, and future periods follow each other without a gap.
 */
export const license: Migration = {
  name: '1007-license',
  up: `
    CREATE TABLE license_plans (
      id integer PRIMARY KEY,
      name text NOT NULL UNIQUE,
      price_cents integer NOT NULL,
      day_duration integer NOT NULL,
      storage_gigabytes integer NOT NULL,
      band_gigabytes integer NOT NULL,
      streaming_amount integer NOT NULL,
      max_video_gigabytes integer NOT NULL,
      max_upload_number integer NOT NULL,
      media_minutes integer NOT NULL DEFAULT 0,
      support text NOT NULL
    );

    CREATE TABLE quotas (
      user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      plan_id integer NOT NULL DEFAULT 1 REFERENCES license_plans (id),
      activated_at timestamptz,
      expires_at timestamptz,
      original_bytes bigint NOT NULL DEFAULT 0 CHECK (original_bytes >= 0),
      rendition_bytes bigint NOT NULL DEFAULT 0 CHECK (rendition_bytes >= 0),
      thumbnail_bytes bigint NOT NULL DEFAULT 0 CHECK (thumbnail_bytes >= 0),
      uploads integer NOT NULL DEFAULT 0 CHECK (uploads >= 0),
      reserved_bytes bigint NOT NULL DEFAULT 0 CHECK (reserved_bytes >= 0),
      reserved_uploads integer NOT NULL DEFAULT 0 CHECK (reserved_uploads >= 0),
      band_month date,
      band_bytes bigint NOT NULL DEFAULT 0,
      media_month date,
      media_seconds bigint NOT NULL DEFAULT 0,
      streaming_month date,
      streaming_seconds bigint NOT NULL DEFAULT 0
    );
    CREATE INDEX quotas_expires_at ON quotas (expires_at) WHERE expires_at IS NOT NULL;

    CREATE TABLE upload_reservations (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      bytes bigint NOT NULL,
      abandoned boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX upload_reservations_expires_at ON upload_reservations (expires_at);

    CREATE TABLE license_periods (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users (id),
      plan_id integer NOT NULL REFERENCES license_plans (id),
      tracking_id uuid NOT NULL REFERENCES payments (tracking_id),
      starts_at timestamptz NOT NULL,
      ends_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      CHECK (starts_at < ends_at)
    );
    CREATE INDEX license_periods_user ON license_periods (user_id, ends_at);

    CREATE TABLE license_notices (
      user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      kind text NOT NULL,
      about text NOT NULL,
      sent_at timestamptz NOT NULL,
      PRIMARY KEY (user_id, kind, about)
    );
    CREATE INDEX license_notices_sent_at ON license_notices (sent_at);

    INSERT INTO license_plans (id, name, price_cents, day_duration, storage_gigabytes, band_gigabytes, streaming_amount, media_minutes,
      max_video_gigabytes, max_upload_number, support)
    VALUES
      (1, 'Free', 0, 0, 1, 5, 10, 3000, 1, 100, 'COMMUNITY'),
      (2, 'Entry', 1000, 30, 8, 30, 60, 20000, 4, 0, 'EMAIL'),
      (3, 'Basic', 2000, 30, 20, 80, 160, 50000, 8, 0, 'EMAIL'),
      (4, 'Professional', 6000, 30, 65, 250, 500, 150000, 16, 0, 'PHONE'),
      (5, 'Business', 18000, 30, 200, 800, 1600, 500000, 32, 0, 'PHONE');
  `,
};
