import type { Migration } from './migration.js';

/**
 * Webhooks get worker slots in an order that is fair between owners: `priority` of the time slice that runs. An import whose server
 * sends no part of a file (`resumable` is false) needs one of few slots for its whole length.
 */
export const fairDeliveries: Migration = {
  name: '1036-fair-deliveries',
  up: `
    ALTER TABLE webhooks ADD COLUMN priority integer;
    CREATE INDEX webhooks_held ON webhooks (owner_id, priority) WHERE lease_owner IS NOT NULL;
    ALTER TABLE arriving_uploads ADD COLUMN resumable boolean;
  `,
};
