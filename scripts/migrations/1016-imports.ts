import type { Migration } from './migration.js';

/**
 * Files that the service fetches from an address. Such an upload has a box item from its beginning. The validator (`ETag` or
 * `Last-Modified`) detects a changed file.
 */
export const imports: Migration = {
  name: '1016-imports',
  up: `
    ALTER TABLE arriving_uploads ADD COLUMN source_url text, ADD COLUMN source_validator text;
    CREATE INDEX arriving_uploads_imports ON arriving_uploads (user_id) WHERE source_url IS NOT NULL AND finished_at IS NULL;
  `,
};
