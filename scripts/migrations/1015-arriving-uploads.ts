import type { Migration } from './migration.js';

/**
 * Arriving uploads. The id is that of the quota reservation, which contains the upload's expiry. The pieces are the stored byte
 * ranges of the file. Only uploads in several requests have `fields`, `metadata` and a lease; a form may send its fields after its
 * file. `arrival` is set for a content whose source has not arrived completely.
 */
export const arrivingUploads: Migration = {
  name: '1015-arriving-uploads',
  up: `
    CREATE TABLE arriving_uploads (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users (id),
      file_name text NOT NULL,
      total_bytes bigint NOT NULL,
      received_bytes bigint NOT NULL DEFAULT 0,
      pieces integer NOT NULL DEFAULT 0,
      fields jsonb,
      metadata text,
      progress_id text,
      content_id uuid,
      box_id uuid,
      wanted boolean NOT NULL DEFAULT false,
      lease_owner text,
      lease_until timestamptz,
      created_at timestamptz NOT NULL,
      finished_at timestamptz,
      CHECK (received_bytes BETWEEN 0 AND total_bytes)
    );
    CREATE INDEX arriving_uploads_finished_at ON arriving_uploads (finished_at);
    CREATE INDEX arriving_uploads_progress ON arriving_uploads (user_id, progress_id);
    CREATE UNIQUE INDEX arriving_uploads_content ON arriving_uploads (content_id);

    CREATE TABLE upload_pieces (
      upload_id uuid NOT NULL REFERENCES arriving_uploads (id) ON DELETE CASCADE,
      start bigint NOT NULL,
      bytes bigint NOT NULL,
      name text NOT NULL,
      PRIMARY KEY (upload_id, start)
    );

    ALTER TABLE contents ADD COLUMN arrival text CHECK (arrival IN ('FOLLOWED', 'AWAITED'));
  `,
};
