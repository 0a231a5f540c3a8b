import type { Migration } from './migration.js';

/**
 * Contents, their renditions and chunks: the state of ingestion and transcoding (principle 6 of docs/architecture.md,
 * `docs/architecture.md#content-states`). Files of a generation that was replaced are kept while its viewers may still fetch them.
 */
export const content: Migration = {
  name: '1003-content',
  up: `
    CREATE TABLE contents (
      id uuid PRIMARY KEY,
      owner_id uuid NOT NULL REFERENCES users (id),
      folder text NOT NULL,
      state text NOT NULL CHECK (state IN ('PENDING', 'READY', 'FAILED', 'DELETED')),
      failure_key text,
      failure_detail text,
      source_key text NOT NULL,
      source_name text NOT NULL,
      source_bytes bigint NOT NULL,
      recorded boolean NOT NULL DEFAULT false,
      generation integer NOT NULL DEFAULT 1,
      quick boolean NOT NULL DEFAULT false,
      growing boolean NOT NULL DEFAULT false,
      progress real NOT NULL DEFAULT 0,
      media_counted boolean NOT NULL DEFAULT false,
      ready_generation integer,
      ready_attempt integer,
      ready_grid jsonb,
      failed_generation integer,
      duration_ms bigint,
      width integer,
      height integer,
      has_video boolean,
      has_audio boolean,
      missing_end_seconds real NOT NULL DEFAULT 0,
      plan jsonb,
      thumbnail_id uuid,
      rendition_bytes bigint NOT NULL DEFAULT 0,
      thumbnail_bytes bigint NOT NULL DEFAULT 0,
      attempt integer NOT NULL DEFAULT 0,
      returns integer NOT NULL DEFAULT 0,
      lease_owner text,
      lease_until timestamptz,
      created_at timestamptz NOT NULL,
      ready_at timestamptz,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX contents_deleted ON contents (updated_at) WHERE state = 'DELETED';
    CREATE INDEX contents_making ON contents (updated_at)
      WHERE state <> 'DELETED' AND (generation > GREATEST(COALESCE(ready_generation, 0), COALESCE(failed_generation, 0)));
    CREATE INDEX contents_owner ON contents (owner_id);
    CREATE INDEX contents_processing_owner ON contents (owner_id)
      WHERE state <> 'DELETED' AND (generation > GREATEST(COALESCE(ready_generation, 0), COALESCE(failed_generation, 0)));
    CREATE INDEX contents_recorded ON contents (id) WHERE recorded AND state = 'PENDING';

    CREATE TABLE chunks (
      content_id uuid NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
      generation integer NOT NULL,
      position integer NOT NULL,
      state text NOT NULL CHECK (state IN ('PENDING', 'RUNNING', 'DONE', 'FAILED')),
      priority integer NOT NULL,
      attempt integer NOT NULL DEFAULT 0,
      returns integer NOT NULL DEFAULT 0,
      failures integer NOT NULL DEFAULT 0,
      lease_owner text,
      lease_until timestamptz,
      progress real NOT NULL DEFAULT 0,
      folder text,
      result jsonb,
      failure_detail text,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (content_id, generation, position)
    );
    CREATE INDEX chunks_open ON chunks (priority) WHERE state IN ('PENDING', 'RUNNING');

    CREATE TABLE deleted_contents (
      content_id uuid PRIMARY KEY,
      deleted_at timestamptz NOT NULL
    );

    CREATE TABLE renditions (
      content_id uuid NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
      generation integer NOT NULL,
      name text NOT NULL,
      position integer NOT NULL,
      width integer NOT NULL,
      height integer NOT NULL,
      video_bits integer NOT NULL,
      audio_bits integer NOT NULL,
      codecs text,
      init_key text,
      bytes bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (content_id, generation, name)
    );

    CREATE TABLE replaced_generations (
      content_id uuid NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
      generation integer NOT NULL,
      kept_until timestamptz NOT NULL,
      PRIMARY KEY (content_id, generation)
    );
    CREATE INDEX replaced_generations_kept_until ON replaced_generations (kept_until);

    CREATE TABLE thumbnails (
      id uuid PRIMARY KEY,
      owner_id uuid NOT NULL REFERENCES users (id),
      storage_key text NOT NULL,
      mime_type text NOT NULL,
      bytes bigint NOT NULL,
      width integer NOT NULL,
      height integer NOT NULL,
      created_at timestamptz NOT NULL
    );
    CREATE INDEX thumbnails_owner ON thumbnails (owner_id);
  `,
};
