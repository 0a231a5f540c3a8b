import type { Clock } from '../clock.js';
import type { Database, Transaction } from '../database/database.js';
import type { EngineName } from './search.js';

/** One dirty document as a drain has read it; it may be cleared while its version has not moved. */
export interface Mark {
  readonly indexName: string;
  readonly documentId: string;
  /** bigint: arrives as a string of digits. */
  readonly version: string;
}

/** Where a page of marks ended. */
export interface MarkCursor {
  readonly indexName: string;
  readonly documentId: string;
}

/**
 * Adds marks for every engine in one statement, in the order of their key, so that two transactions marking the same
 * documents wait for each other instead of falling into a deadlock. A mark that stands gets a new version.
 */
export async function addMarks(
  db: Database,
  clock: Clock,
  tx: Transaction,
  engines: readonly EngineName[],
  indexName: string,
  documentIds: readonly string[],
): Promise<void> {
  if (documentIds.length === 0) return;
  await db.change(
    `INSERT INTO search_dirty (engine, index_name, document_id, marked_at)
     SELECT engine, $indexName, document_id, $now::timestamptz
     FROM json_array_elements_text($engines::json) AS engine
     CROSS JOIN (SELECT DISTINCT json_array_elements_text($documentIds::json) AS document_id) AS documents
     ORDER BY engine, document_id
     ON CONFLICT (engine, index_name, document_id) DO UPDATE SET version = search_dirty.version + 1`,
    {
      engines: JSON.stringify(engines),
      indexName,
      documentIds: JSON.stringify(documentIds),
      now: clock.now().toISOString(),
    },
    tx,
  );
}

/** The marks of one engine after `after`, in the order of their key. */
export async function readMarks(
  db: Database,
  engine: EngineName,
  indexNames: readonly string[],
  after: MarkCursor | null,
  limit: number,
): Promise<Mark[]> {
  return db.rows<Mark>(
    `SELECT index_name, document_id, version
     FROM search_dirty
     WHERE engine = $engine AND index_name = ANY ($indexNames::text[])
       AND (index_name, document_id) > ($afterIndex::text, $afterDocument::text)
     ORDER BY index_name, document_id
     LIMIT $limit::int`,
    { engine, indexNames, afterIndex: after?.indexName ?? '', afterDocument: after?.documentId ?? '', limit },
  );
}

/** Those of these documents that wait for nothing: no mark of theirs stands. */
export async function unmarkedOf(
  db: Database,
  engine: EngineName,
  indexName: string,
  documentIds: readonly string[],
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    `SELECT id FROM json_array_elements_text($documentIds::json) AS id
     WHERE NOT EXISTS (SELECT FROM search_dirty
                       WHERE engine = $engine AND index_name = $indexName AND document_id = id)`,
    { engine, indexName, documentIds: JSON.stringify(documentIds) },
  );
  return rows.map(({ id }) => id);
}

/**
 * Takes the turn of an engine: of two drains only the later one clears marks. Waits for a clearing under way.
 * Resolves with the turn.
 */
export async function acquireFence(db: Database, engine: EngineName, tx?: Transaction): Promise<string> {
  const [row] = await db.rows<{ turn: string }>(
    `INSERT INTO search_turns AS present (engine, turn) VALUES ($engine, 1)
     ON CONFLICT (engine) DO UPDATE SET turn = present.turn + 1 RETURNING turn`,
    { engine },
    tx,
  );
  if (!row) throw new Error('no turn was given');
  return row.turn;
}

/**
 * Clears marks whose version has not moved, as long as the turn is still ours. Marks held by a transaction under way
 * are left: it is about to move their version. While an index is being rebuilt, what is cleared is kept for after
 * the swap, since the written documents go with the old build. Resolves with how many, or null where the turn is lost.
 */
export async function clearMarks(
  db: Database,
  engine: EngineName,
  turn: string,
  now: Date,
  marks: readonly Mark[],
): Promise<number | null> {
  const [row] = await db.rows<{ mine: boolean; cleared: number }>(
    `WITH mine AS (SELECT FROM search_turns WHERE engine = $engine AND turn = $turn::bigint FOR SHARE),
     cleared AS (
       DELETE FROM search_dirty
       WHERE ctid = ANY (ARRAY (
         SELECT dirty.ctid
         FROM json_to_recordset($marks::json) AS mark("indexName" text, "documentId" text, version bigint)
         JOIN search_dirty dirty ON dirty.engine = $engine AND dirty.index_name = mark."indexName"
           AND dirty.document_id = mark."documentId" AND dirty.version = mark.version
         WHERE EXISTS (SELECT FROM mine)
         FOR UPDATE OF dirty SKIP LOCKED
       ))
       RETURNING index_name, document_id, marked_at
     ),
     kept AS (
       INSERT INTO search_dirty (engine, index_name, document_id, marked_at)
       SELECT $journal, index_name, document_id, marked_at
       FROM cleared JOIN search_builds build USING (index_name)
       WHERE build.engine = $engine AND build.rebuilding_until > $now::timestamptz
       ON CONFLICT DO NOTHING
     )
     SELECT EXISTS (SELECT FROM mine) AS mine, (SELECT count(*)::int FROM cleared) AS cleared`,
    { engine, journal: journalOf(engine), turn, now: now.toISOString(), marks: JSON.stringify(marks) },
  );
  return row?.mine ? row.cleared : null;
}

/** After a swap: what was written to the old build meanwhile is dirty again. */
export async function restoreMarks(
  db: Database,
  tx: Transaction,
  engine: EngineName,
  indexName: string,
): Promise<void> {
  await db.rows(
    `WITH kept AS (DELETE FROM search_dirty WHERE engine = $journal AND index_name = $indexName RETURNING document_id, marked_at)
     INSERT INTO search_dirty AS present (engine, index_name, document_id, marked_at)
     SELECT $engine, $indexName, document_id, marked_at FROM kept ORDER BY document_id
     ON CONFLICT (engine, index_name, document_id) DO UPDATE SET version = present.version + 1`,
    { engine, journal: journalOf(engine), indexName },
    tx,
  );
}

/** Where cleared marks are kept while an index is rebuilt. */
function journalOf(engine: EngineName): string {
  return `${engine}/rebuild`;
}
