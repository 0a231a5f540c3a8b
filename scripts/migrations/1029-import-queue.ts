import type { Migration } from './migration.js';

/**
 * An import is fetched in time slices, and an arriving source is processed in one. `priority`: of the next or the running slice.
 * `continue_at`: the time since or from which it waits for a worker. `failures`: consecutive requests that fetched no bytes.
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
