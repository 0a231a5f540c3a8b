import type { Migration } from './migration.js';

/** Number of reprocessing requests by a content's owner, and time of the last request by the owner or an operator. */
export const reprocessing: Migration = {
  name: '1028-reprocessing',
  up: `
    ALTER TABLE contents ADD COLUMN reprocessings integer NOT NULL DEFAULT 0;
    ALTER TABLE contents ADD COLUMN reprocessed_at timestamptz;
  `,
};
