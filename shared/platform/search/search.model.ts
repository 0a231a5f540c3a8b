import { defineModel, bigint, integer, text, timestamp, uuid } from '../database/model.js';

/** A dirty mark: a document that must be written to one engine. */
export const SearchMark = defineModel('search_dirty', {
  engine: text().primaryKey().withDefault(),
  indexName: text().primaryKey(),
  documentId: text().primaryKey(),
  version: bigint().withDefault(),
  markedAt: timestamp().withDefault(),
});

/**
 * The newest fencing token of an engine, in the column `turn`: only the drain that holds it clears marks. The row
 * `vocabulary` counts the prunings of the vocabulary.
 */
export const SearchFence = defineModel('search_turns', {
  engine: text().primaryKey(),
  turn: bigint(),
});

/** An index in an engine: the signature it was built from, and the lease of its rebuild. */
export const SearchBuild = defineModel('search_builds', {
  engine: text().primaryKey(),
  indexName: text().primaryKey(),
  signature: text().nullable(),
  rebuildId: uuid().nullable(),
  rebuildingUntil: timestamp().nullable(),
});

/** A word of a public document. Typos in queries are corrected to these words. */
export const SearchWord = defineModel('search_words', {
  word: text().primaryKey(),
});

/** A word by a key of `postgres/typoKeys.ts`, with its length in characters. */
export const SearchTypoKey = defineModel('search_typo_keys', {
  key: text().primaryKey(),
  length: integer().primaryKey(),
  word: text().primaryKey(),
});
