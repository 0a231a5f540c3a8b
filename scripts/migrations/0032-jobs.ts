import type { Migration } from './migration.js';

/**
 * `publication_id` identifies a publication, from its first claim on (`docs/decisions/jobs.md`). Not from the beginning of the row: a
 * backup of the database contains the row, and what is restored is published anew. `ready_attempt` names the playlists of a
 * copied generation (`shared/content/storageKeys.ts`).
 */
export const jobs: Migration = {
  name: '0032-jobs',
  up: `
    ALTER TABLE outbox ADD COLUMN publication_id uuid;
    ALTER TABLE contents ADD COLUMN ready_attempt integer;
  `,
};
