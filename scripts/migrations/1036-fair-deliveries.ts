import type { Migration } from './migration.js';

/**
 * Webhooks get worker slots in an order that is fair between owners: `priority` of the time slice that runs. An import whose server
 * does not support range requests (`resumable` is false) keeps one of few slots until it ends.
 */
export const fairDeliveries: Migration = {
  name: '1036-fair-deliveries',
  up: `
    ALTER TABLE webhooks ADD COLUMN priority integer;
    CREATE INDEX webhooks_held ON webhooks (owner_id, priority) WHERE lease_owner IS NOT NULL;
    ALTER TABLE arriving_uploads ADD COLUMN resumable boolean;
  `,
};
