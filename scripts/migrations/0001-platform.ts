import type { Migration } from './migration.js';

/** The outbox (principle 3 of docs/architecture.md) and the search documents that are marked dirty (principle 5). */
export const platform: Migration = {
  name: '0001-platform',
  up: `
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE EXTENSION IF NOT EXISTS unaccent;

    CREATE TABLE outbox (
      id bigserial PRIMARY KEY,
      queue text NOT NULL,
      job text NOT NULL,
      job_key text NOT NULL,
      repeats text NOT NULL,
      payload jsonb NOT NULL,
      attempts integer NOT NULL,
      backoff_ms integer NOT NULL,
      priority integer NOT NULL DEFAULT 0,
      available_at timestamptz NOT NULL DEFAULT now(),
      claimed_until timestamptz,
      created_at timestamptz NOT NULL DEFAULT now()
    );

    CREATE TABLE search_dirty (
      index_name text NOT NULL,
      document_id text NOT NULL,
      version bigint NOT NULL DEFAULT 1,
      marked_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (index_name, document_id)
    );
    CREATE INDEX search_dirty_marked_at ON search_dirty (marked_at);
  `,
};
