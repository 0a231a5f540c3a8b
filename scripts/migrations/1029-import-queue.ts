import type { Migration } from './migration.js';

/**
 * An import is fetched in time slices, and a source is followed in one. `priority`: of its next slice, or of the one that runs. `continue_at`: since when, or from when on, it
 * waits for a worker. `failures`: requests one after the other that have brought nothing.
 */
export const importQueue: Migration = {
  name: '1029-import-queue',
  up: `
    ALTER TABLE arriving_uploads
      ADD COLUMN priority integer,
      ADD COLUMN continue_at timestamptz,
      ADD COLUMN failures integer NOT NULL DEFAULT 0;
    CREATE INDEX contents_followed ON contents (owner_id) WHERE arrival = 'FOLLOWED';
  `,
};
