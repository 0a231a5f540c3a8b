import type { Migration } from './migration.js';

/**
 * Typos in queries are looked up by deletion keys (`shared/platform/search/postgres/typoKeys.ts`) in a B-tree, of which a
 * query reads a bounded number of entries, however many similar words there are. The words of earlier releases came from
 * private documents too and are deleted; this release rebuilds every index and adds the words of public documents.
 *
 * Processes of the previous release still call the functions `search_similar_words` and `search_similar_beginnings`. They
 * work without the trigram index; a later release removes them.
 */
export const searchTypos: Migration = {
  name: '0024-search-typos',
  up: `
    TRUNCATE search_words;
    DROP INDEX search_words_trigrams;

    CREATE TABLE search_typo_keys (
      key text COLLATE "C" NOT NULL,
      length integer NOT NULL,
      word text COLLATE "C" NOT NULL,
      PRIMARY KEY (key, length, word)
    );

    INSERT INTO search_turns (engine, turn) VALUES ('vocabulary', 1);
  `,
};
