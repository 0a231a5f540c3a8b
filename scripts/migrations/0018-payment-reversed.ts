import type { Migration } from './migration.js';

/** The state of a payment that was refunded, and whose grants have ended with it. */
export const paymentReversed: Migration = {
  name: '0018-payment-reversed',
  up: `
    ALTER TABLE payments
      DROP CONSTRAINT payments_state_check,
      ADD CONSTRAINT payments_state_check
        CHECK (state IN ('CREATED', 'OPEN', 'FULFILLED', 'REJECTED', 'EXPIRED', 'FAILED', 'REVERSED'));
  `,
};
