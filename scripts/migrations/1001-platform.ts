import type { Migration } from './migration.js';

/**
 * The outbox (principle 3 of docs/architecture.md), the clock's enqueued jobs, attempt limits, and the search (principle 5). Dirty
 * marks are kept per engine, so that an engine that is down delays only its own drain. `search_fences` decides which of two
 * concurrent drains counts; `search_builds` contains the complete indexes of each engine. Typos in queries are looked up by the
 * words' deletion keys (`shared/platform/search/postgres/typoKeys.ts`) in a B-tree, of which a query reads a bounded number of
 * entries. The PostgreSQL engine creates the document tables from the index definitions.
 */
export const platform: Migration = {
  name: '1001-platform',
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
      publication_id uuid,
      created_at timestamptz NOT NULL DEFAULT now()
    );

    CREATE TABLE clock_ticks (
      task text NOT NULL,
      minute timestamptz NOT NULL,
      PRIMARY KEY (task, minute)
    );
    CREATE INDEX clock_ticks_minute ON clock_ticks (minute);

    CREATE TABLE attempt_counts (
      subject text PRIMARY KEY,
      attempts integer NOT NULL,
      window_ends_at timestamptz NOT NULL
    );
    CREATE INDEX attempt_counts_window ON attempt_counts (window_ends_at);

    CREATE TABLE search_marks (
      engine text NOT NULL DEFAULT 'postgres',
      index_name text NOT NULL,
      document_id text NOT NULL,
      version bigint NOT NULL DEFAULT 1,
      marked_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (engine, index_name, document_id)
    );
    CREATE INDEX search_marks_age ON search_marks (engine, marked_at);

    CREATE TABLE search_fences (
      engine text PRIMARY KEY,
      fencing_token bigint NOT NULL
    );

    CREATE TABLE search_builds (
      engine text NOT NULL,
      index_name text NOT NULL,
      signature text,
      lease_owner text,
      lease_until timestamptz,
      PRIMARY KEY (engine, index_name)
    );

    CREATE TABLE search_words (
      word text COLLATE "C" PRIMARY KEY
    );

    CREATE TABLE search_typo_keys (
      key text COLLATE "C" NOT NULL,
      length integer NOT NULL,
      word text COLLATE "C" NOT NULL,
      PRIMARY KEY (key, length, word)
    );

    INSERT INTO search_fences (engine, fencing_token) VALUES ('vocabulary', 1);
  `,
};
