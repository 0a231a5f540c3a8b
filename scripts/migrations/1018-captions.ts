import type { Migration } from './migration.js';

/**
 * Captions, chapters and seek bar images of contents. `extra_bytes`: stored bytes of a content in addition to its source and its
 * renditions, so that its deletion releases the counted bytes.
 */
export const captions: Migration = {
  name: '1018-captions',
  up: `
    ALTER TABLE contents ADD COLUMN extra_bytes bigint NOT NULL DEFAULT 0;
    ALTER TABLE contents ADD COLUMN chapters jsonb;
    ALTER TABLE contents ADD COLUMN storyboard jsonb;

    CREATE TABLE captions (
      id uuid PRIMARY KEY,
      content_id uuid NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
      origin text NOT NULL CHECK (origin IN ('OWNER', 'SOURCE', 'AUTOMATIC')),
      stream integer,
      language text NOT NULL,
      label text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('captions', 'subtitles')),
      cues jsonb NOT NULL,
      words text NOT NULL,
      bytes bigint NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      UNIQUE (content_id, label)
    );
  `,
};
