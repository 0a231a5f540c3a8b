import type { SqlDatabase } from '../../database/sql.js';
import type { OwnedIndex } from '../indexDefinition.js';
import type { EngineName } from '../search.js';
import { tableOf } from './tables.js';

/** Maximum number of changed documents that a private search reads from their rows: more than a client writes during one drain. */
const maxMarks = 200;

/**
 * Ids of an owner's documents that are not yet written to an engine, the latest first, at most 200. The owner is that of the row
 * or, if the row is deleted, that of the stored document.
 */
export async function readOwnMarks(
  db: SqlDatabase,
  engine: EngineName,
  index: OwnedIndex,
  ownerId: string,
): Promise<string[]> {
  const { owner } = index;
  if (!owner) throw new Error(`the documents of index ${index.name} have no owner`);
  const rows = await db.rows<{ documentId: string }>(
    `SELECT document_id FROM search_marks
     WHERE engine = $engine AND index_name = $indexName AND document_id IN (
       SELECT own.id::text COLLATE "default" FROM (${owner.ids}) AS own
       UNION ALL
       SELECT id COLLATE "default" FROM ${tableOf(index.name)} WHERE filters @> $ofOwner::jsonb
     )
     ORDER BY marked_at DESC LIMIT $maxMarks::int`,
    {
      engine,
      indexName: index.name,
      ownerId,
      ofOwner: JSON.stringify({ [owner.member]: [ownerId] }),
      maxMarks,
    },
  );
  return rows.map(({ documentId }) => documentId);
}
