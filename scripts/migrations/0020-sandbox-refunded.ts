import type { Migration } from './migration.js';

/** The state of a sandbox order whose money was refunded. */
export const sandboxRefunded: Migration = {
  name: '0020-sandbox-refunded',
  up: `
    ALTER TABLE sandbox_orders
      DROP CONSTRAINT sandbox_orders_state_check,
      ADD CONSTRAINT sandbox_orders_state_check
        CHECK (state IN ('OPEN', 'APPROVED', 'CAPTURED', 'REFUNDED', 'REJECTED'));
  `,
};
