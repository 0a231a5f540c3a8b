import type { Database } from '../../database/database.js';
import { windowOf } from '../../formats/page.js';
import { checkQuery, sortMember } from '../indexDefinition.js';
import type { StoredDigest, SearchIndex, SearchDocument, SearchEngine, SearchHits, SearchQuery } from '../search.js';
import { parseQueryText } from '../tokenizer.js';
import { Binds, filterConditions } from './conditions.js';
import { documentRow, type DocumentRow } from './documentRow.js';
import { matchSql, scoreSql } from './relevance.js';
import { createTable, createTables, indexTable, nextTableOf, swapTables, tableOf } from './tables.js';
import { createVocabulary, withTypos } from './vocabulary.js';

/** Search in the service's database: full text search for words, trigrams for typos, JSON containment for filters. */
export function createPostgresEngine(db: Database): SearchEngine {
  const addToVocabulary = createVocabulary(db);
  const prepared = new Map<string, Promise<void>>();

  /** Once in a process for each index. A failed attempt is repeated at the next call. */
  function ready(index: SearchIndex): Promise<void> {
    let preparation = prepared.get(index.name);
    if (!preparation) {
      preparation = createTables(db, [index.name]);
      preparation.catch(() => prepared.delete(index.name));
      prepared.set(index.name, preparation);
    }
    return preparation;
  }

  async function rowsOf(index: SearchIndex, documents: readonly SearchDocument[]): Promise<DocumentRow[]> {
    const vocabulary = new Set<string>();
    const rows = documents.map((document) => documentRow(index, document, vocabulary));
    await addToVocabulary(vocabulary);
    return rows;
  }

  return {
    name: 'postgres',
    async prepare(indexes) {
      for (const index of indexes) await ready(index);
    },
    async search(index, query) {
      await ready(index);
      return search(db, index, query);
    },
    async write(index, upserts, removals) {
      await ready(index);
      if (upserts.length > 0) await upsert(db, tableOf(index.name), await rowsOf(index, upserts));
      if (removals.length > 0) await remove(db, tableOf(index.name), removals);
    },
    async rebuild(index, documents) {
      await ready(index);
      const next = nextTableOf(index.name);
      await db.rows(`DROP TABLE IF EXISTS ${next}`);
      await createTable(db, next);
      for await (const batch of documents) await insert(db, next, await rowsOf(index, batch));
      await indexTable(db, next);
      await swapTables(db, index.name);
    },
    async digests(index, afterId, limit) {
      await ready(index);
      return db.rows<StoredDigest>(
        `SELECT id, digest FROM ${tableOf(index.name)} WHERE id > $afterId::text COLLATE "C" ORDER BY id LIMIT $limit::int`,
        { afterId: afterId ?? '', limit },
      );
    },
    async check() {
      await db.rows('SELECT 1');
    },
  };
}

async function search(db: Database, index: SearchIndex, query: SearchQuery): Promise<SearchHits> {
  checkQuery(index, query);
  const text = parseQueryText(query.text);
  if (text && query.groups.length === 0) return { ids: [], totalCount: 0 };
  const words = text ? await withTypos(db, text) : [];
  const binds = new Binds();
  const match = words.length === 0 ? [] : [matchSql(index, query.groups, words, binds)];
  const where = [...match, ...filterConditions(query.filters, binds)].join(' AND ') || 'true';
  const order = [
    ...(words.length === 0 ? [] : [`${scoreSql(index, query.groups, words, binds)} DESC`]),
    ...query.sort.map(
      (key) => `(sorts -> ${binds.add(sortMember(key))}::text) ${key.startsWith('-') ? 'DESC' : 'ASC'} NULLS LAST`,
    ),
    'id',
  ].join(', ');
  const { offset, limit } = windowOf(query.page);
  const skipped = Math.min(offset, Number.MAX_SAFE_INTEGER);
  const [hits] = await db.rows<SearchHits>(
    `SELECT (SELECT count(*)::int FROM ${tableOf(index.name)} WHERE ${where}) AS total_count,
            ARRAY (SELECT id FROM ${tableOf(index.name)} WHERE ${where} ORDER BY ${order}
                   LIMIT ${binds.add(limit)}::int OFFSET ${binds.add(skipped)}::bigint) AS ids`,
    binds.values,
  );
  return hits ?? { ids: [], totalCount: 0 };
}

/** In the order of ids, so that two writers cannot deadlock. Rows that would not change are not written. */
async function upsert(db: Database, table: string, rows: readonly DocumentRow[]): Promise<void> {
  await db.change(
    `INSERT INTO ${table} AS present (id, words, filters, sorts, digest)
     SELECT id, words::tsvector, filters, sorts, digest
     FROM json_to_recordset($rows::json) AS row(id text, words text, filters jsonb, sorts jsonb, digest text)
     ORDER BY id COLLATE "C"
     ON CONFLICT (id) DO UPDATE SET (words, filters, sorts, digest) = (excluded.words, excluded.filters, excluded.sorts, excluded.digest)
     WHERE (present.words, present.filters, present.sorts, present.digest)
       IS DISTINCT FROM (excluded.words, excluded.filters, excluded.sorts, excluded.digest)`,
    { rows: JSON.stringify(rows) },
  );
}

async function insert(db: Database, table: string, rows: readonly DocumentRow[]): Promise<void> {
  await db.change(
    `INSERT INTO ${table} (id, words, filters, sorts, digest)
     SELECT id, words::tsvector, filters, sorts, digest
     FROM json_to_recordset($rows::json) AS row(id text, words text, filters jsonb, sorts jsonb, digest text)`,
    { rows: JSON.stringify(rows) },
  );
}

async function remove(db: Database, table: string, ids: readonly string[]): Promise<void> {
  await db.change(
    `DELETE FROM ${table} WHERE id IN (
       SELECT id FROM ${table} WHERE id = ANY ($ids::text[]) ORDER BY id FOR UPDATE
     )`,
    { ids },
  );
}
