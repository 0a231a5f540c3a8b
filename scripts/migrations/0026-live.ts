import type { Migration } from './migration.js';

/**
 * Live channels and events, what encoders publish to them, and what is recorded (`docs/decisions/live.md`). Runs and
 * sessions stay when their segments are removed: streaming hours and the report of events that never went on air are
 * computed from them.
 */
export const live: Migration = {
  name: '0026-live',
  up: `
    CREATE TABLE live_streams (
      id uuid PRIMARY KEY,
      owner_id uuid NOT NULL REFERENCES users (id),
      kind text NOT NULL,
      path text,
      created_at timestamptz NOT NULL
    );
    CREATE UNIQUE INDEX live_streams_path ON live_streams (path);
    CREATE INDEX live_streams_owner ON live_streams (owner_id);

    CREATE TABLE live_sessions (
      id uuid PRIMARY KEY,
      stream_id uuid NOT NULL REFERENCES live_streams (id),
      folder text NOT NULL,
      state text NOT NULL,
      opened_at timestamptz NOT NULL,
      ended_at timestamptz,
      next_sequence integer NOT NULL DEFAULT 0,
      next_discontinuity integer NOT NULL DEFAULT 0
    );
    CREATE UNIQUE INDEX live_sessions_open ON live_sessions (stream_id) WHERE state = 'OPEN';
    CREATE INDEX live_sessions_stream ON live_sessions (stream_id, opened_at);

    CREATE TABLE live_runs (
      id uuid PRIMARY KEY,
      session_id uuid NOT NULL REFERENCES live_sessions (id),
      stream_id uuid NOT NULL REFERENCES live_streams (id),
      owner_id uuid NOT NULL REFERENCES users (id),
      source text NOT NULL,
      server_key text,
      pull_url text,
      client_address text,
      state text NOT NULL,
      end_reason text,
      discontinuity integer,
      segment_maps text,
      renditions jsonb,
      received_bytes bigint NOT NULL DEFAULT 0,
      counted_seconds integer NOT NULL DEFAULT 0,
      lease_owner text,
      lease_until timestamptz,
      offered_at timestamptz NOT NULL,
      opened_at timestamptz,
      last_media_at timestamptz,
      ended_at timestamptz
    );
    CREATE UNIQUE INDEX live_runs_active ON live_runs (stream_id) WHERE state IN ('OFFERED', 'OPEN');
    CREATE UNIQUE INDEX live_runs_server_key ON live_runs (server_key);
    CREATE INDEX live_runs_session ON live_runs (session_id, offered_at);
    CREATE INDEX live_runs_stream ON live_runs (stream_id, opened_at);
    CREATE INDEX live_runs_owner ON live_runs (owner_id, opened_at);

    CREATE TABLE live_segments (
      session_id uuid NOT NULL REFERENCES live_sessions (id),
      sequence integer NOT NULL,
      run_id uuid NOT NULL REFERENCES live_runs (id),
      discontinuity integer NOT NULL,
      starts_at timestamptz NOT NULL,
      duration_microseconds integer NOT NULL,
      renditions jsonb NOT NULL,
      stored_at timestamptz NOT NULL,
      PRIMARY KEY (session_id, sequence)
    );
    CREATE INDEX live_segments_start ON live_segments (session_id, starts_at);
    CREATE UNIQUE INDEX live_segments_run ON live_segments (run_id, starts_at);
    CREATE INDEX live_segments_stored ON live_segments (stored_at);

    CREATE TABLE live_channels (
      id uuid PRIMARY KEY REFERENCES live_streams (id),
      owner_id uuid NOT NULL REFERENCES users (id),
      name text NOT NULL,
      description text,
      thumbnail_id uuid REFERENCES thumbnails (id),
      tags text[] NOT NULL DEFAULT '{}',
      public boolean NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX live_channels_owner ON live_channels (owner_id);
    CREATE INDEX live_channels_thumbnail ON live_channels (thumbnail_id) WHERE thumbnail_id IS NOT NULL;

    CREATE TABLE live_events (
      id uuid PRIMARY KEY,
      channel_id uuid NOT NULL REFERENCES live_channels (id),
      owner_id uuid NOT NULL REFERENCES users (id),
      name text NOT NULL,
      description text,
      thumbnail_id uuid REFERENCES thumbnails (id),
      tags text[] NOT NULL DEFAULT '{}',
      payment_mode text NOT NULL,
      price_cents bigint,
      starts_at timestamptz NOT NULL,
      ends_at timestamptz NOT NULL,
      public boolean NOT NULL,
      recorded boolean NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CHECK (starts_at < ends_at),
      CHECK ((payment_mode = 'PAY_PER_VIEW') = (price_cents IS NOT NULL))
    );
    CREATE INDEX live_events_channel ON live_events (channel_id, starts_at);
    CREATE INDEX live_events_owner ON live_events (owner_id, starts_at);
    CREATE INDEX live_events_thumbnail ON live_events (thumbnail_id) WHERE thumbnail_id IS NOT NULL;

    CREATE TABLE live_recordings (
      event_id uuid PRIMARY KEY,
      stream_id uuid NOT NULL REFERENCES live_streams (id),
      owner_id uuid NOT NULL REFERENCES users (id),
      title text NOT NULL,
      starts_at timestamptz NOT NULL,
      ends_at timestamptz NOT NULL,
      state text NOT NULL,
      failure_key text,
      box_item_id uuid,
      attempt integer NOT NULL DEFAULT 0,
      keep_until timestamptz,
      upload_id uuid,
      lease_owner text,
      lease_until timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX live_recordings_stream ON live_recordings (stream_id, starts_at);
    CREATE INDEX live_recordings_state ON live_recordings (state, updated_at);
    CREATE INDEX live_recordings_box_item ON live_recordings (box_item_id) WHERE box_item_id IS NOT NULL;

    ALTER TABLE contents ADD COLUMN recorded boolean NOT NULL DEFAULT false;
    CREATE INDEX contents_recorded ON contents (id) WHERE recorded AND state = 'PENDING';

    ALTER TABLE quotas
      ADD COLUMN streaming_month date,
      ADD COLUMN streaming_seconds bigint NOT NULL DEFAULT 0;

    -- A new kind: STREAMING. The kinds are those of the model.
    ALTER TABLE license_notices DROP CONSTRAINT license_notices_kind_check;
  `,
};
