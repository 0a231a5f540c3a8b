import type { Migration } from './migration.js';

/**
 * Folders of contents with a random part, the ids of deleted contents, media minutes of plans and users
 * (`docs/contract.md#choices-licenses`), and the one resumption of a download token.
 */
export const media: Migration = {
  name: '0023-media',
  up: `
    ALTER TABLE contents ADD COLUMN folder text;
    CREATE INDEX contents_processing_owner ON contents (owner_id)
      WHERE state <> 'DELETED' AND generation > greatest(coalesce(ready_generation, 0), coalesce(failed_generation, 0));

    CREATE TABLE deleted_contents (
      content_id uuid PRIMARY KEY,
      deleted_at timestamptz NOT NULL
    );

    ALTER TABLE plans ADD COLUMN media_minutes integer NOT NULL DEFAULT 0;
    UPDATE plans SET media_minutes = CASE name
      WHEN 'Free' THEN 3000
      WHEN 'Entry' THEN 20000
      WHEN 'Basic' THEN 50000
      WHEN 'Professional' THEN 150000
      WHEN 'Business' THEN 500000
      ELSE 0 END;

    ALTER TABLE quotas
      ADD COLUMN media_month date,
      ADD COLUMN media_seconds bigint NOT NULL DEFAULT 0;

    ALTER TABLE download_tokens ADD COLUMN resumed_at timestamptz;
    CREATE INDEX download_tokens_user ON download_tokens (user_id, expires_at);
  `,
};
