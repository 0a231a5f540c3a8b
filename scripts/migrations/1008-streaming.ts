import type { Migration } from './migration.js';

/**
 * Streams, runs, sessions and segments (`docs/decisions/live.md`). Runs and sessions are kept when their segments are removed:
 * streaming hours and the report of events that were never on air are computed from them.
 */
export const streaming: Migration = {
  name: '1008-streaming',
  up: `
    CREATE TABLE live_streams (
      id uuid PRIMARY KEY,
      owner_id uuid NOT NULL REFERENCES users (id),
      kind text NOT NULL,
      path text,
      created_at timestamptz NOT NULL
    );
    CREATE INDEX live_streams_owner ON live_streams (owner_id);
    CREATE UNIQUE INDEX live_streams_path ON live_streams (path);

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
      parts_url text,
      offered_at timestamptz NOT NULL,
      opened_at timestamptz,
      last_media_at timestamptz,
      ended_at timestamptz
    );
    CREATE UNIQUE INDEX live_runs_active ON live_runs (stream_id) WHERE state IN ('OFFERED', 'OPEN');
    CREATE INDEX live_runs_owner ON live_runs (owner_id, opened_at);
    CREATE UNIQUE INDEX live_runs_server_key ON live_runs (server_key);
    CREATE INDEX live_runs_session ON live_runs (session_id, offered_at);
    CREATE INDEX live_runs_stream ON live_runs (stream_id, opened_at);

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
    CREATE UNIQUE INDEX live_segments_run ON live_segments (run_id, starts_at);
    CREATE INDEX live_segments_start ON live_segments (session_id, starts_at);
    CREATE INDEX live_segments_stored ON live_segments (stored_at);
  `,
};
