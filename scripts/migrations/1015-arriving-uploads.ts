import type { Migration } from './migration.js';

/**
 * Uploads while they arrive. The id is that of the quota reservation, which says until when an upload may be continued. The pieces say
 * what is stored of the file. `fields`, `metadata` and a lease are of uploads that arrive in several requests; the fields of a form
 * may come behind its file. A content whose source still arrives has `arrival`.
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
