import type { Migration } from './migration.js';

/**
 * The kind of an upload, generated from its other columns: processes of the previous release insert rows without it. The index serves
 * queries by kind; `arriving_uploads_imports` serves those of the previous release.
 */
export const uploadKinds: Migration = {
  name: '1044-upload-kinds',
  up: `
    ALTER TABLE arriving_uploads ADD COLUMN kind text NOT NULL GENERATED ALWAYS AS (
      CASE WHEN source_url IS NOT NULL THEN 'import' WHEN fields IS NOT NULL THEN 'tus' ELSE 'form' END
    ) STORED;
    CREATE INDEX arriving_uploads_open_imports ON arriving_uploads (user_id) WHERE kind = 'import' AND finished_at IS NULL;
  `,
};
