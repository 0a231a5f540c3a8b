import { lease } from '../lease/index.js';
import type { Clock } from '../systemClock.js';
import type { SqlDatabase, Transaction } from '../database/sql.js';
import type { RowOf } from '../database/model.js';
import type { SearchMark } from './search.model.js';
import type { EngineName } from './search.js';

/** A dirty document as read by a drain. The mark may be cleared only if its version is unchanged. */
export type DirtyMark = Pick<RowOf<typeof SearchMark>, 'indexName' | 'documentId' | 'version'>;

/** The last mark of a page. */
export type DirtyMarkCursor = Pick<DirtyMark, 'indexName' | 'documentId'>;

/**
 * Adds marks for every engine in one statement, in key order, so that two transactions that mark the same documents wait for each
 * other instead of deadlocking. An existing mark gets a new version.
 */
export async function addMarks(
  db: SqlDatabase,
  clock: Clock,
  tx: Transaction,
  engines: readonly EngineName[],
  indexName: string,
  documentIds: readonly string[],
): Promise<void> {
  if (documentIds.length === 0) return;
  await db.change(
    `INSERT INTO search_marks (engine, index_name, document_id, marked_at)
     SELECT engine, $indexName, document_id, $now::timestamptz
     FROM json_array_elements_text($engines::json) AS engine
     CROSS JOIN (SELECT DISTINCT json_array_elements_text($documentIds::json) AS document_id) AS documents
     ORDER BY engine, document_id
     ON CONFLICT (engine, index_name, document_id) DO UPDATE SET version = search_marks.version + 1`,
    {
      engines: JSON.stringify(engines),
      indexName,
      documentIds: JSON.stringify(documentIds),
      now: clock.now(),
    },
    tx,
  );
}

/** The marks of one engine after `after`, in key order. */
export async function readMarks(
  db: SqlDatabase,
  engine: EngineName,
  indexNames: readonly string[],
  after: DirtyMarkCursor | null,
  limit: number,
): Promise<DirtyMark[]> {
  return db.rows<DirtyMark>(
    `SELECT index_name, document_id, version
     FROM search_marks
     WHERE engine = $engine AND index_name = ANY ($indexNames::text[])
       AND (index_name, document_id) > ($afterIndex::text, $afterDocument::text)
     ORDER BY index_name, document_id
     LIMIT $limit::int`,
    { engine, indexNames, afterIndex: after?.indexName ?? '', afterDocument: after?.documentId ?? '', limit },
  );
}

/** Returns the documents that have no mark. */
export async function unmarkedOf(
  db: SqlDatabase,
  engine: EngineName,
  indexName: string,
  documentIds: readonly string[],
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    `SELECT id FROM json_array_elements_text($documentIds::json) AS id
     WHERE NOT EXISTS (SELECT FROM search_marks
                       WHERE engine = $engine AND index_name = $indexName AND document_id = id)`,
    { engine, indexName, documentIds: JSON.stringify(documentIds) },
  );
  return rows.map(({ id }) => id);
}

/**
 * Resolves with a new fencing token of an engine: from now on, only drains that hold it clear marks. Waits for a `clearMarks` in
 * progress. `vocabulary`: the token of vocabulary prunings.
 */
export async function acquireFence(
  db: SqlDatabase,
  engine: EngineName | 'vocabulary',
  tx?: Transaction,
): Promise<number> {
  const [row] = await db.rows<{ fencingToken: number }>(
    `INSERT INTO search_fences AS present (engine, fencing_token) VALUES ($engine, 1)
     ON CONFLICT (engine) DO UPDATE SET fencing_token = present.fencing_token + 1 RETURNING fencing_token`,
    { engine },
    tx,
  );
  if (!row) throw new Error('no fencing token was returned');
  return row.fencingToken;
}

/**
 * Clears the marks whose version is unchanged, if `fencingToken` is the newest. Marks locked by an open transaction are skipped:
 * their version is about to change. While an index is being rebuilt, cleared marks are kept until after the swap, because
 * documents written now go to the old build. Resolves with the number of cleared marks, or null if another drain or rebuild has a
 * newer token.
 */
export async function clearMarks(
  db: SqlDatabase,
  engine: EngineName,
  fencingToken: number,
  marks: readonly DirtyMark[],
): Promise<number | null> {
  const [row] = await db.rows<{ isNewest: boolean; cleared: number }>(
    `WITH fence AS (SELECT FROM search_fences WHERE engine = $engine AND fencing_token = $fencingToken::bigint FOR SHARE),
     cleared AS (
       DELETE FROM search_marks
       WHERE ctid = ANY (ARRAY (
         SELECT dirty.ctid
         FROM json_to_recordset($marks::json) AS mark("indexName" text, "documentId" text, version bigint)
         JOIN search_marks dirty ON dirty.engine = $engine AND dirty.index_name = mark."indexName"
           AND dirty.document_id = mark."documentId" AND dirty.version = mark.version
         WHERE EXISTS (SELECT FROM fence)
         FOR UPDATE OF dirty SKIP LOCKED
       ))
       RETURNING index_name, document_id, marked_at
     ),
     retained AS (
       INSERT INTO search_marks (engine, index_name, document_id, marked_at)
       SELECT $retainedBy, index_name, document_id, marked_at
       FROM cleared JOIN search_builds build USING (index_name)
       WHERE build.engine = $engine AND build.${lease.running}
       ON CONFLICT DO NOTHING
     )
     SELECT EXISTS (SELECT FROM fence) AS is_newest, (SELECT count(*)::int FROM cleared) AS cleared`,
    { engine, retainedBy: retainedMarksOf(engine), fencingToken, marks: JSON.stringify(marks) },
  );
  return row?.isNewest ? row.cleared : null;
}

/** Restores the marks that were cleared during a rebuild, whose documents were written to the old build only. */
export async function restoreMarks(
  db: SqlDatabase,
  tx: Transaction,
  engine: EngineName,
  indexName: string,
): Promise<void> {
  await db.rows(
    `WITH retained AS (
       DELETE FROM search_marks WHERE engine = $retainedBy AND index_name = $indexName RETURNING document_id, marked_at
     )
     INSERT INTO search_marks AS present (engine, index_name, document_id, marked_at)
     SELECT $engine, $indexName, document_id, marked_at FROM retained ORDER BY document_id
     ON CONFLICT (engine, index_name, document_id) DO UPDATE SET version = present.version + 1`,
    { engine, retainedBy: retainedMarksOf(engine), indexName },
    tx,
  );
}

/** Value of `search_marks.engine` for marks retained during a rebuild. */
function retainedMarksOf(engine: EngineName): string {
  return `${engine}/rebuild`;
}
