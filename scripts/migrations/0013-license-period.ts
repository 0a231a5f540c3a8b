import type { Migration } from './migration.js';

/**
 * The periods for which users have paid a plan (`docs/contract.md#choices-licenses`): the periods of a user do not
 * overlap, and future periods follow each other without a gap. Also the notices that were sent about them.
 */
export const licensePeriod: Migration = {
  name: '0013-license-period',
  up: `
    CREATE TABLE license_periods (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users (id),
      plan_id integer NOT NULL REFERENCES plans (id),
      tracking_id uuid NOT NULL REFERENCES payments (tracking_id),
      starts_at timestamptz NOT NULL,
      ends_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      CHECK (starts_at < ends_at)
    );
    CREATE INDEX license_periods_user ON license_periods (user_id, ends_at);
    CREATE INDEX quotas_expires_at ON quotas (expires_at) WHERE expires_at IS NOT NULL;

    CREATE TABLE license_notices (
      user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      kind text NOT NULL CHECK (kind IN ('EXPIRING', 'EXPIRED', 'STORAGE', 'BAND')),
      about text NOT NULL,
      sent_at timestamptz NOT NULL,
      PRIMARY KEY (user_id, kind, about)
    );
    CREATE INDEX license_notices_sent_at ON license_notices (sent_at);
  `,
};
