import type { Migration } from './migration.js';

/** Live channels, events and recordings (`docs/decisions/live.md`). */
export const live: Migration = {
  name: '1011-live',
  up: `
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
      queued_at timestamptz,
      lease_owner text,
      lease_until timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX live_recordings_box_item ON live_recordings (box_item_id) WHERE box_item_id IS NOT NULL;
    CREATE INDEX live_recordings_state ON live_recordings (state, updated_at);
    CREATE INDEX live_recordings_stream ON live_recordings (stream_id, starts_at);
    CREATE INDEX live_recordings_unfinished ON live_recordings (ends_at) WHERE state IN ('WAITING', 'COPYING', 'KEPT');
  `,
};
