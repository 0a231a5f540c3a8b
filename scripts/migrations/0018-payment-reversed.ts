import type { Migration } from './migration.js';

/** A payment whose money went back to the buyer, and with it what it had granted. */
export const paymentReversed: Migration = {
  name: '0018-payment-reversed',
  up: `
    ALTER TABLE payments
      DROP CONSTRAINT payments_state_check,
      ADD CONSTRAINT payments_state_check
        CHECK (state IN ('CREATED', 'OPEN', 'FULFILLED', 'REJECTED', 'EXPIRED', 'FAILED', 'REVERSED'));
  `,
};
