import { column, defineModel } from '../database/model.js';

/** A dirty mark: a document that must be written to one engine. */
export const SearchMark = defineModel('search_marks', {
  engine: column.text().primaryKey().withDefault(),
  indexName: column.text().primaryKey(),
  documentId: column.text().primaryKey(),
  version: column.bigint().withDefault(),
  markedAt: column.timestamp().withDefault(),
});

/**
 * The newest fencing token of an engine: only the drain that holds it clears marks. The row `vocabulary` counts vocabulary
 * prunings.
 */
export const SearchFence = defineModel('search_fences', {
  engine: column.text().primaryKey(),
  fencingToken: column.bigint(),
});

/** An index in an engine: the signature it was built from, and the lease of its rebuild. */
export const SearchBuild = defineModel('search_builds', {
  engine: column.text().primaryKey(),
  indexName: column.text().primaryKey(),
  signature: column.text().nullable(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
});

/** A word of a public document. Typos in queries are corrected to these words. */
export const SearchWord = defineModel('search_words', {
  word: column.text().primaryKey(),
});

/** A word under one of its keys (`postgres/typoKeys.ts`), with its length in characters. */
export const SearchTypoKey = defineModel('search_typo_keys', {
  key: column.text().primaryKey(),
  length: column.integer().primaryKey(),
  word: column.text().primaryKey(),
});
