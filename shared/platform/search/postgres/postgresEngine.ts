import type { SqlDatabase, Transaction } from '../../database/sql.js';
import type { Logger } from 'pino';
import type { OwnedIndex } from '../indexDefinition.js';
import type {
  ChangedDocuments,
  EngineName,
  SearchDocument,
  SearchEngine,
  SearchHits,
  SearchIndex,
  SearchQuery,
  StoredDigest,
} from '../search.js';
import { documentRows, type DocumentRow } from './documentRow.js';
import { readOwnMarks } from './ownMarks.js';
import { pruneVocabulary } from './pruneVocabulary.js';
import { searchDocuments } from './searchDocuments.js';
import { createTable, indexTable, nextTableOf, prepareTable, swapTables, tableOf } from './tables.js';
import { createVocabulary } from './vocabulary.js';

export interface PostgresEngineOptions {
  readonly log?: Logger;
  /** Limits concurrent searches. Default: unlimited. */
  readonly slots?: SearchSlots;
  /** Timeout of a search, and of the simpler search that then replaces it. */
  readonly searchTimeoutMs?: number;
}

/** Limits concurrent searches, so that connections remain for other work. */
export interface SearchSlots {
  /** Runs `search` in a slot of this caller. Rejects if no slot is released in time, or with the reason of `signal` before that. */
  run<Result>(caller: string, search: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

const unlimited: SearchSlots = { run: (_caller, search) => search() };

/** PostgreSQL as a search engine. It also reads the dirty marks of an owner's documents. */
export interface PostgresEngine extends SearchEngine {
  /** `reader`: a database to read from instead of the engine's own. */
  search(index: SearchIndex, query: SearchQuery, changed?: ChangedDocuments, reader?: SqlDatabase): Promise<SearchHits>;
  /**
   * Ids of an owner's documents that are not yet written to an engine, the latest first, at most 200. The owner is that of the
   * row or, if the row is deleted, that of the stored document.
   */
  ownMarks(engine: EngineName, index: OwnedIndex, ownerId: string): Promise<string[]>;
}

/** Search in the service's database: full text search for words, deletion keys for typos, JSON containment for filters. */
export function createPostgresEngine(db: SqlDatabase, options: PostgresEngineOptions = {}): PostgresEngine {
  const { log, slots = unlimited, searchTimeoutMs = 1_500 } = options;
  const vocabulary = createVocabulary(db);
  const prepared = new Map<string, Promise<void>>();

  /** Runs once per process and index. A failed attempt is repeated at the next call. */
  function ready(index: SearchIndex): Promise<void> {
    let preparation = prepared.get(index.name);
    if (!preparation) {
      preparation = prepareTable(db, index);
      preparation.catch(() => prepared.delete(index.name));
      prepared.set(index.name, preparation);
    }
    return preparation;
  }

  /** Writes rows and their words in one transaction, so that a pruning removes none of these words. */
  async function write(
    index: SearchIndex,
    documents: readonly SearchDocument[],
    writeRows: (rows: readonly DocumentRow[], tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const { rows, vocabulary: words } = documentRows(index, documents);
    await db.transaction(async (tx) => {
      await vocabulary.add(tx, words);
      await writeRows(rows, tx);
    });
  }

  return {
    name: 'postgres',
    async prepare(indexes) {
      for (const index of indexes) await ready(index);
    },
    async search(index, query, changed, reader = db) {
      await ready(index);
      const onTimeout = () => log?.warn({ index: index.name }, 'search timed out, repeated for exact matches');
      const { caller = '', signal } = query.page;
      const search = () => searchDocuments(reader, index, query, { timeoutMs: searchTimeoutMs, onTimeout }, changed);
      return slots.run(caller, search, signal);
    },
    async ownMarks(engine, index, ownerId) {
      await ready(index);
      return readOwnMarks(db, engine, index, ownerId);
    },
    async write(index, upserts, removals) {
      await ready(index);
      const table = tableOf(index.name);
      if (upserts.length > 0) await write(index, upserts, (rows, tx) => upsert(db, tx, table, rows));
      if (removals.length > 0) await remove(db, table, removals);
    },
    async rebuild(index, documents) {
      await ready(index);
      const next = nextTableOf(index.name);
      await db.rows(`DROP TABLE IF EXISTS ${next}`);
      await createTable(db, index, next);
      for await (const batch of documents) await write(index, batch, (rows, tx) => insert(db, tx, next, rows));
      await indexTable(db, index, next);
      await swapTables(db, index.name);
    },
    async digests(index, afterId, limit) {
      await ready(index);
      return db.rows<StoredDigest>(
        `SELECT id, digest FROM ${tableOf(index.name)} WHERE id > $afterId::text COLLATE "C" ORDER BY id LIMIT $limit::int`,
        { afterId: afterId ?? '', limit },
      );
    },
    async pruneVocabulary(indexes, signal) {
      for (const index of indexes) await ready(index);
      return pruneVocabulary(db, indexes, signal);
    },
    async check() {
      await db.rows('SELECT 1');
    },
  };
}

/** In id order, so that two writers cannot deadlock. Unchanged rows are not written. */
async function upsert(db: SqlDatabase, tx: Transaction, table: string, rows: readonly DocumentRow[]): Promise<void> {
  await db.change(
    `INSERT INTO ${table} AS present (id, words, filters, sorts, digest)
     SELECT id, words::tsvector, filters, sorts, digest
     FROM json_to_recordset($rows::json) AS row(id text, words text, filters jsonb, sorts jsonb, digest text)
     ORDER BY id COLLATE "C"
     ON CONFLICT (id) DO UPDATE SET (words, filters, sorts, digest) = (excluded.words, excluded.filters, excluded.sorts, excluded.digest)
     WHERE (present.words, present.filters, present.sorts, present.digest)
       IS DISTINCT FROM (excluded.words, excluded.filters, excluded.sorts, excluded.digest)`,
    { rows: JSON.stringify(rows) },
    tx,
  );
}

async function insert(db: SqlDatabase, tx: Transaction, table: string, rows: readonly DocumentRow[]): Promise<void> {
  await db.change(
    `INSERT INTO ${table} (id, words, filters, sorts, digest)
     SELECT id, words::tsvector, filters, sorts, digest
     FROM json_to_recordset($rows::json) AS row(id text, words text, filters jsonb, sorts jsonb, digest text)`,
    { rows: JSON.stringify(rows) },
    tx,
  );
}

async function remove(db: SqlDatabase, table: string, ids: readonly string[]): Promise<void> {
  await db.change(
    `DELETE FROM ${table} WHERE id IN (
       SELECT id FROM ${table} WHERE id = ANY ($ids::text[]) ORDER BY id FOR UPDATE
     )`,
    { ids },
  );
}
