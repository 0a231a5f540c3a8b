import type { Migration } from './migration.js';

/**
 * A content is first made quickly, and then in all its renditions (`docs/decisions/quick.md`). Files of a generation that was
 * replaced are kept while its viewers may still fetch them.
 */
export const quick: Migration = {
  name: '0029-quick',
  up: `
    ALTER TABLE contents
      ADD COLUMN quick boolean NOT NULL DEFAULT false,
      ADD COLUMN growing boolean NOT NULL DEFAULT false,
      ADD COLUMN media_counted boolean NOT NULL DEFAULT false,
      ADD COLUMN progress real NOT NULL DEFAULT 0;
    UPDATE contents SET media_counted = true;

    CREATE TABLE replaced_generations (
      content_id uuid NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
      generation integer NOT NULL,
      kept_until timestamptz NOT NULL,
      PRIMARY KEY (content_id, generation)
    );
    CREATE INDEX replaced_generations_kept_until ON replaced_generations (kept_until);

    -- Live processes look each second for recordings that can be made.
    ALTER TABLE live_recordings ADD COLUMN queued_at timestamptz;
    CREATE INDEX live_recordings_unfinished ON live_recordings (ends_at) WHERE state IN ('WAITING', 'COPYING', 'KEPT');
  `,
};
