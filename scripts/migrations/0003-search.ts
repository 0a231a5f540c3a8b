import type { Migration } from './migration.js';

/**
 * Search (principle 5 of docs/architecture.md). Dirty marks are kept for each engine, so that an engine that is down
 * delays only its own. `search_turns` decides which of two concurrent drains counts, `search_builds` says which index is
 * complete in which engine, and `search_words` contains the words for typo correction. The engine itself creates the
 * tables of the documents on PostgreSQL from the index definitions.
 */
export const search: Migration = {
  name: '0003-search',
  up: `
    ALTER TABLE search_dirty ADD COLUMN engine text NOT NULL DEFAULT 'postgres';
    ALTER TABLE search_dirty DROP CONSTRAINT search_dirty_pkey;
    ALTER TABLE search_dirty ADD PRIMARY KEY (engine, index_name, document_id);
    DROP INDEX search_dirty_marked_at;
    CREATE INDEX search_dirty_age ON search_dirty (engine, marked_at);

    CREATE TABLE search_turns (
      engine text PRIMARY KEY,
      turn bigint NOT NULL
    );

    CREATE TABLE search_builds (
      engine text NOT NULL,
      index_name text NOT NULL,
      signature text,
      rebuild_id uuid,
      rebuilding_until timestamptz,
      PRIMARY KEY (engine, index_name)
    );

    CREATE TABLE search_words (word text COLLATE "C" PRIMARY KEY);
    CREATE INDEX search_words_trigrams ON search_words USING gin (word gin_trgm_ops);

    CREATE FUNCTION search_similar_words(asked text, most integer) RETURNS SETOF text
      LANGUAGE sql STABLE
      SET pg_trgm.similarity_threshold = 0.15
      AS $$
        SELECT word FROM search_words
        WHERE word % asked AND length(word) BETWEEN length(asked) - 2 AND length(asked) + 2
        ORDER BY similarity(word, asked) DESC, word LIMIT most
      $$;

    CREATE FUNCTION search_similar_beginnings(asked text, most integer) RETURNS SETOF text
      LANGUAGE sql STABLE
      SET pg_trgm.word_similarity_threshold = 0.3
      AS $$
        SELECT word FROM search_words
        WHERE asked <% word AND length(word) >= length(asked) - 2
        ORDER BY word_similarity(asked, word) DESC, word LIMIT most
      $$;
  `,
};
