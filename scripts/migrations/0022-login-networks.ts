import type { Migration } from './migration.js';

/** The networks that users have logged in from; limits of failed logins depend on them. */
export const loginNetworks: Migration = {
  name: '0022-login-networks',
  up: `
    CREATE TABLE login_networks (
      user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      network text NOT NULL,
      last_login_at timestamptz NOT NULL,
      PRIMARY KEY (user_id, network)
    );
    CREATE INDEX login_networks_last ON login_networks (last_login_at);
  `,
};
