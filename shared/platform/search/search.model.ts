import { defineModel, bigint, text, timestamp, uuid } from '../database/model.js';

/** A document that is to be written again into one engine. */
export const SearchMark = defineModel('search_dirty', {
  engine: text().primaryKey().withDefault(),
  indexName: text().primaryKey(),
  documentId: text().primaryKey(),
  version: bigint().withDefault(),
  markedAt: timestamp().withDefault(),
});

/** The fencing token of an engine: only the drain that holds the newest one may clear marks. */
export const SearchFence = defineModel('search_turns', {
  engine: text().primaryKey(),
  turn: bigint(),
});

/** Which index is complete in which engine, and who rebuilds it. */
export const SearchBuild = defineModel('search_builds', {
  engine: text().primaryKey(),
  indexName: text().primaryKey(),
  signature: text().nullable(),
  rebuildId: uuid().nullable(),
  rebuildingUntil: timestamp().nullable(),
});

/** A word that typos are corrected to. */
export const SearchWord = defineModel('search_words', {
  word: text().primaryKey(),
});
