import type { Migration } from './migration.js';

/**
 * Cast channels: their streams, programs and airings (`docs/decisions/cast.md`). Times of airings are microseconds since 1970,
 * because rounding to milliseconds would accumulate errors.
 */
export const cast: Migration = {
  name: '1014-cast',
  up: `
    CREATE TABLE cast_channels (
      id uuid PRIMARY KEY REFERENCES live_streams (id),
      owner_id uuid NOT NULL REFERENCES users (id),
      name text NOT NULL,
      description text,
      thumbnail_id uuid REFERENCES thumbnails (id),
      tags text[] NOT NULL DEFAULT '{}',
      time_zone text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX cast_channels_owner ON cast_channels (owner_id);
    CREATE INDEX cast_channels_thumbnail ON cast_channels (thumbnail_id) WHERE thumbnail_id IS NOT NULL;

    CREATE TABLE cast_streams (
      id uuid PRIMARY KEY REFERENCES live_streams (id),
      owner_id uuid NOT NULL REFERENCES users (id),
      name text NOT NULL,
      description text,
      thumbnail_id uuid REFERENCES thumbnails (id),
      tags text[] NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX cast_streams_owner ON cast_streams (owner_id);
    CREATE INDEX cast_streams_thumbnail ON cast_streams (thumbnail_id) WHERE thumbnail_id IS NOT NULL;

    CREATE TABLE cast_programs (
      id uuid PRIMARY KEY,
      channel_id uuid NOT NULL REFERENCES cast_channels (id),
      owner_id uuid NOT NULL REFERENCES users (id),
      starts_at timestamptz NOT NULL,
      ends_at timestamptz NOT NULL,
      type text NOT NULL,
      box_item_id uuid,
      offset_seconds integer NOT NULL DEFAULT 0,
      stream_id uuid,
      title text NOT NULL,
      description text,
      thumbnail_id uuid REFERENCES thumbnails (id),
      tags text[] NOT NULL DEFAULT '{}',
      failure_key text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CHECK (starts_at < ends_at),
      CHECK ((type = 'PRERECORDED') = (box_item_id IS NOT NULL)),
      CHECK ((type = 'LIVE') = (stream_id IS NOT NULL))
    );
    CREATE INDEX cast_programs_box_item ON cast_programs (box_item_id, ends_at) WHERE box_item_id IS NOT NULL;
    CREATE UNIQUE INDEX cast_programs_channel ON cast_programs (channel_id, starts_at);
    CREATE INDEX cast_programs_end ON cast_programs (ends_at);
    CREATE INDEX cast_programs_owner ON cast_programs (owner_id, starts_at);
    CREATE INDEX cast_programs_stream ON cast_programs (stream_id, ends_at) WHERE stream_id IS NOT NULL;
    CREATE INDEX cast_programs_thumbnail ON cast_programs (thumbnail_id) WHERE thumbnail_id IS NOT NULL;

    CREATE TABLE cast_playouts (
      channel_id uuid PRIMARY KEY,
      decided_until bigint NOT NULL
    );

    CREATE TABLE cast_airings (
      channel_id uuid NOT NULL,
      sequence bigint NOT NULL,
      discontinuity bigint NOT NULL,
      starts_at bigint NOT NULL,
      ends_at bigint NOT NULL,
      durations jsonb NOT NULL,
      program_id uuid,
      source jsonb NOT NULL,
      PRIMARY KEY (channel_id, sequence)
    );
    CREATE INDEX cast_airings_content ON cast_airings (((source ->> 'contentId'))) WHERE (source ->> 'kind') = 'CONTENT';
    CREATE INDEX cast_airings_end ON cast_airings (channel_id, ends_at);

    CREATE TABLE cast_cuts (
      id uuid PRIMARY KEY,
      content_id uuid NOT NULL,
      generation integer NOT NULL,
      first_frame integer NOT NULL,
      end_frame integer NOT NULL,
      state text NOT NULL,
      folder text NOT NULL,
      renditions jsonb,
      attempt integer NOT NULL DEFAULT 0,
      returns integer NOT NULL DEFAULT 0,
      failure_detail text,
      lease_owner text,
      lease_until timestamptz,
      needed_until timestamptz NOT NULL,
      created_at timestamptz NOT NULL
    );
    CREATE UNIQUE INDEX cast_cuts_frames ON cast_cuts (content_id, generation, first_frame, end_frame);
    CREATE INDEX cast_cuts_needed ON cast_cuts (needed_until);
    CREATE INDEX cast_cuts_waiting ON cast_cuts (needed_until) WHERE state = 'WAITING';

    CREATE TABLE cast_slates (
      id uuid PRIMARY KEY,
      channel_id uuid,
      digest text NOT NULL,
      lines jsonb NOT NULL,
      thumbnail_id uuid,
      shows_from timestamptz NOT NULL,
      shows_until timestamptz,
      state text NOT NULL,
      folder text NOT NULL,
      renditions jsonb,
      attempt integer NOT NULL DEFAULT 0,
      returns integer NOT NULL DEFAULT 0,
      failure_detail text,
      lease_owner text,
      lease_until timestamptz,
      needed_until timestamptz NOT NULL,
      created_at timestamptz NOT NULL
    );
    CREATE UNIQUE INDEX cast_slates_default ON cast_slates (digest) WHERE channel_id IS NULL;
    CREATE UNIQUE INDEX cast_slates_digest ON cast_slates (channel_id, digest);
    CREATE INDEX cast_slates_needed ON cast_slates (needed_until);
    CREATE INDEX cast_slates_thumbnail ON cast_slates (thumbnail_id) WHERE thumbnail_id IS NOT NULL;
    CREATE INDEX cast_slates_waiting ON cast_slates (shows_from) WHERE state = 'WAITING';
  `,
};
