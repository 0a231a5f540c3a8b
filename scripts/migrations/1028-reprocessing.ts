import type { Migration } from './migration.js';

/** How often the owner of a content has had it processed again, and when that was requested last, by the owner or an operator. */
export const reprocessing: Migration = {
  name: '1028-reprocessing',
  up: `
    ALTER TABLE contents ADD COLUMN reprocessings integer NOT NULL DEFAULT 0;
    ALTER TABLE contents ADD COLUMN reprocessed_at timestamptz;
  `,
};
