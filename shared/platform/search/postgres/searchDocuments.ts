import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { SqlDatabase, StatementBounds } from '../../database/sql.js';
import { isStatementCancelled } from '../../database/databaseErrors.js';
import { pageWindow } from '../../formats/page.js';
import { checkQuery, sortMember } from '../indexDefinition.js';
import {
  maxCountedHits,
  type ChangedDocuments,
  type SearchHits,
  type SearchIndex,
  type SearchQuery,
} from '../search.js';
import { parseQueryText, type QueryText } from '../tokenizer.js';
import { columnOf, columnsOf } from './columns.js';
import { Binds, filterConditions } from './filterConditions.js';
import { documentRows, type DocumentRow } from './documentRow.js';
import { matchAllSql, matchSql, scoreSql } from './relevance.js';
import { withTypos } from './similarWords.js';
import { tableOf } from './tables.js';

/** Documents that are tokenized before yielding to the event loop. */
const documentsPerBatch = 20;

/** SQL conditions and sort keys of a search. */
interface SearchSql {
  readonly where: readonly string[];
  /** Sort keys that precede those of the query. */
  readonly order: readonly string[];
}

/**
 * Searches in the table of an index, and in `changed` instead of the rows with the same ids. A search with words that exceeds
 * `timeoutMs` is repeated without typo tolerance and relevance: it then finds the documents that contain every word, in the sort
 * order of the query. If that also exceeds the limit, it fails with an error that `isStatementCancelled` recognizes.
 */
export async function searchDocuments(
  db: SqlDatabase,
  index: SearchIndex,
  query: SearchQuery,
  options: { readonly timeoutMs: number; readonly onTimeout: () => void },
  changed?: ChangedDocuments,
): Promise<SearchHits> {
  checkQuery(index, query);
  const text = parseQueryText(query.text);
  if (text && query.groups.length === 0) return { ids: [], totalCount: 0 };
  const rows = changed ? await rowsOf(index, changed, text !== null) : [];
  const find = (bounds: StatementBounds, searchSql: (binds: Binds) => SearchSql) =>
    select(db, index, query, searchSql, changed && { ids: changed.ids, rows }, bounds);
  const boundsWithin = createBounds(query, options.timeoutMs);
  if (!text) return find(boundsWithin(), () => ({ where: [], order: [] }));
  try {
    const words = await withTypos(db, text, boundsWithin());
    return await find(boundsWithin(), (binds) => ({
      where: [matchSql(index, query.groups, words, binds)],
      order: query.isRanked === false ? [] : [`${scoreSql(index, query.groups, words, binds)} DESC`],
    }));
  } catch (error) {
    if (!isStatementCancelled(error)) throw error;
    options.onTimeout();
    return find(createBounds(query, options.timeoutMs)(), (binds) => exactly(index, query, text, binds));
  }
}

/** The bounds of a statement: the remainder of `timeoutMs`, and the signal of the caller. */
function createBounds({ page: { signal } }: SearchQuery, timeoutMs: number): () => StatementBounds {
  const end = performance.now() + timeoutMs;
  return () => ({ timeoutMs: Math.max(1, end - performance.now()), ...(signal ? { signal } : {}) });
}

function exactly(index: SearchIndex, { groups }: SearchQuery, text: QueryText, binds: Binds): SearchSql {
  return { where: [matchAllSql(index, groups, text, binds)], order: [] };
}

async function rowsOf(index: SearchIndex, changed: ChangedDocuments, withWords: boolean): Promise<DocumentRow[]> {
  const rows: DocumentRow[] = [];
  for (let start = 0; start < changed.documents.length; start += documentsPerBatch) {
    if (start > 0) await yieldToEventLoop();
    rows.push(...documentRows(index, changed.documents.slice(start, start + documentsPerBatch), withWords).rows);
  }
  return rows;
}

async function select(
  db: SqlDatabase,
  index: SearchIndex,
  query: SearchQuery,
  searchSql: (binds: Binds) => SearchSql,
  changed: { readonly ids: readonly string[]; readonly rows: readonly DocumentRow[] } | undefined,
  bounds: StatementBounds,
): Promise<SearchHits> {
  const binds = new Binds();
  const source = sourceSql(index, changed, binds);
  const { where, order } = searchSql(binds);
  const condition = [...where, ...filterConditions(index, query.filters, binds)].join(' AND ') || 'true';
  const sort = query.sort.map((key) => sortSql(index, key, binds));
  const { offset, limit } = pageWindow(query.page);
  const skipped = Math.min(offset, Number.MAX_SAFE_INTEGER);
  const [hits] = await db.rows<SearchHits>(
    `SELECT (SELECT count(*)::int FROM (SELECT FROM ${source} WHERE ${condition} LIMIT ${maxCountedHits}) AS counted) AS total_count,
            ARRAY (SELECT id FROM ${source} WHERE ${condition} ORDER BY ${[...order, ...sort, 'id'].join(', ')}
                   LIMIT ${binds.add(limit)}::int OFFSET ${binds.add(skipped)}::bigint) AS ids`,
    binds.values,
    undefined,
    bounds,
  );
  return hits ?? { ids: [], totalCount: 0 };
}

/** Columns are never null; `NULLS LAST` would prevent PostgreSQL from scanning the index backwards. */
function sortSql(index: SearchIndex, key: string, binds: Binds): string {
  const member = sortMember(key);
  const direction = key.startsWith('-') ? 'DESC' : 'ASC';
  const column = columnOf(index, member);
  return column ? `${column} ${direction}` : `(sorts -> ${binds.add(member)}::text) ${direction} NULLS LAST`;
}

/** The table of the index, with changed documents replacing their rows. */
function sourceSql(
  index: SearchIndex,
  changed: { readonly ids: readonly string[]; readonly rows: readonly DocumentRow[] } | undefined,
  binds: Binds,
): string {
  const table = tableOf(index.name);
  if (!changed || changed.ids.length === 0) return table;
  const columns = columnsOf(index);
  const ofTable = columns.map(({ name }) => `, ${name}`).join('');
  const ofRows = columns.map(({ value }) => `, ${value}`).join('');
  return `(
    SELECT id, words, filters, sorts${ofTable} FROM ${table} WHERE id <> ALL (${binds.add(changed.ids)}::text[])
    UNION ALL
    SELECT id COLLATE "C", words::tsvector, filters, sorts${ofRows}
    FROM json_to_recordset(${binds.add(JSON.stringify(changed.rows))}::json)
      AS row(id text, words text, filters jsonb, sorts jsonb)
  ) AS documents`;
}
