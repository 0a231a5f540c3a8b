import type { Migration } from './migration.js';

/**
 * Columns, tables and indexes that keep statements fast with many rows (`docs/decisions/database.md#scale`): the queue of a chunk
 * and the last priority of a content; the time of a user's next notice check; the positions of sweeps over all rows or files. The
 * trigger also handles changes by processes of the previous release.
 */
export const manyRows: Migration = {
  name: '1024-many-rows',
  up: `
    CREATE TABLE sweep_positions (
      sweep text PRIMARY KEY,
      position text NOT NULL,
      updated_at timestamptz NOT NULL
    );

    ALTER TABLE deleted_contents ADD COLUMN folder text;
    CREATE INDEX deleted_contents_deleted_at ON deleted_contents (deleted_at, content_id);

    CREATE INDEX users_pending ON users (created_at) WHERE state = 'PENDING';
    CREATE INDEX users_thumbnail ON users (thumbnail_id) WHERE thumbnail_id IS NOT NULL;
    CREATE INDEX contents_source ON contents (source_key);
    CREATE INDEX contents_thumbnail ON contents (thumbnail_id) WHERE thumbnail_id IS NOT NULL;
    CREATE INDEX box_items_thumbnail ON box_items (thumbnail_id) WHERE thumbnail_id IS NOT NULL;
    CREATE INDEX download_tokens_content ON download_tokens (content_id);
    CREATE INDEX upload_reservations_user ON upload_reservations (user_id);
    CREATE INDEX license_periods_payment ON license_periods (tracking_id);
    CREATE INDEX payments_seller ON payments (seller_id) WHERE seller_id IS NOT NULL;
    CREATE INDEX withdrawn_vod_items_owner ON withdrawn_vod_items (owner_id);
    CREATE INDEX payments_fulfilled ON payments (fulfilled_at) WHERE state = 'FULFILLED';
    CREATE INDEX live_recordings_begun ON live_recordings (starts_at) WHERE state IN ('WAITING', 'COPYING', 'KEPT');
    CREATE INDEX live_recordings_owner ON live_recordings (owner_id);
    CREATE INDEX live_runs_offered ON live_runs (offered_at) WHERE state = 'OFFERED';
    CREATE INDEX live_runs_pulled ON live_runs (offered_at) WHERE state = 'OPEN' AND source = 'PULL';
    CREATE INDEX live_runs_reported ON live_runs (opened_at) WHERE state = 'OPEN' AND source = 'REPORTED';

    CREATE INDEX cast_airings_live ON cast_airings ((source ->> 'sessionId')) WHERE (source ->> 'kind') = 'LIVE';
    CREATE INDEX cast_channels_created ON cast_channels (created_at DESC, id);
    CREATE INDEX cast_channels_name ON cast_channels (lower(name), id);
    CREATE INDEX cast_cuts_failed ON cast_cuts (created_at) WHERE state = 'FAILED';
    CREATE INDEX cast_cuts_folder ON cast_cuts (folder);
    CREATE INDEX cast_programs_live ON cast_programs (ends_at) WHERE type = 'LIVE';
    CREATE INDEX cast_slates_failed ON cast_slates (created_at) WHERE state = 'FAILED';
    CREATE INDEX cast_slates_folder ON cast_slates (folder);

    ALTER TABLE chunks ADD COLUMN quick boolean NOT NULL DEFAULT false;
    ALTER TABLE contents ADD COLUMN last_priority integer;
    UPDATE chunks SET quick = true FROM contents
     WHERE contents.id = chunks.content_id AND contents.quick AND chunks.state IN ('PENDING', 'RUNNING');
    UPDATE contents SET last_priority = (
      SELECT max(priority) FROM chunks
       WHERE chunks.content_id = contents.id AND chunks.generation = contents.generation AND chunks.state IN ('PENDING', 'RUNNING'))
     WHERE state <> 'DELETED' AND (generation > GREATEST(COALESCE(ready_generation, 0), COALESCE(failed_generation, 0)));
    CREATE INDEX chunks_queue ON chunks (quick, priority) WHERE state IN ('PENDING', 'RUNNING');
    CREATE INDEX contents_queue ON contents (owner_id, quick, last_priority)
      WHERE state <> 'DELETED' AND (generation > GREATEST(COALESCE(ready_generation, 0), COALESCE(failed_generation, 0)));
    DROP INDEX contents_processing_owner;
    CREATE INDEX contents_planning ON contents (updated_at)
      WHERE plan IS NULL AND state <> 'DELETED' AND (generation > GREATEST(COALESCE(ready_generation, 0), COALESCE(failed_generation, 0)));

    ALTER TABLE quotas ADD COLUMN examine_at timestamptz NOT NULL DEFAULT 'epoch';
    CREATE INDEX quotas_examine ON quotas (examine_at);
    CREATE FUNCTION quotas_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.examine_at := 'epoch';
      RETURN NEW;
    END $$;
    CREATE TRIGGER quotas_changed
      BEFORE UPDATE OF plan_id, expires_at, original_bytes, rendition_bytes, thumbnail_bytes, band_month, band_bytes, streaming_month,
        streaming_seconds ON quotas
      FOR EACH ROW EXECUTE FUNCTION quotas_changed();
  `,
};
