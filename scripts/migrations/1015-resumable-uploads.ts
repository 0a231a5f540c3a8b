import type { Migration } from './migration.js';

/**
 * Uploads that arrive in several requests. The id is that of the quota reservation, which says until when an upload may be continued. The
 * pieces say what is stored of the file.
 */
export const resumableUploads: Migration = {
  name: '1015-resumable-uploads',
  up: `
    CREATE TABLE resumable_uploads (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users (id),
      file_name text NOT NULL,
      total_bytes bigint NOT NULL,
      received_bytes bigint NOT NULL DEFAULT 0,
      pieces integer NOT NULL DEFAULT 0,
      fields jsonb NOT NULL,
      metadata text NOT NULL,
      progress_id text,
      box_id uuid,
      wanted boolean NOT NULL DEFAULT false,
      lease_owner text,
      lease_until timestamptz,
      created_at timestamptz NOT NULL,
      finished_at timestamptz,
      CHECK (received_bytes BETWEEN 0 AND total_bytes)
    );
    CREATE INDEX resumable_uploads_finished_at ON resumable_uploads (finished_at);

    CREATE TABLE upload_pieces (
      upload_id uuid NOT NULL REFERENCES resumable_uploads (id) ON DELETE CASCADE,
      start bigint NOT NULL,
      bytes bigint NOT NULL,
      name text NOT NULL,
      PRIMARY KEY (upload_id, start)
    );
  `,
};
