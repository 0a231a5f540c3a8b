import type { SqlDatabase, Transaction } from '../../database/sql.js';
import type { SearchIndex } from '../search.js';
import { columnsOf, type MemberColumn } from './columns.js';

/** Key of the advisory lock under which tables are created ('SRCH' in ASCII). */
const preparationLock = 0x53524348;

/** Quoted name of the table with the documents of an index. `checkDefinitions` has validated the index name. */
export function tableOf(indexName: string): string {
  return `"search_documents_${indexName}"`;
}

/** Quoted name of the table that a rebuild fills. */
export function nextTableOf(indexName: string): string {
  return `"search_documents_${indexName}_next"`;
}

/** Creates the table of an index if it is missing, and adds columns that a later release declares. */
export async function prepareTable(db: SqlDatabase, index: SearchIndex): Promise<void> {
  const table = tableOf(index.name);
  await db.transaction(async (tx) => {
    await db.rows('SELECT pg_advisory_xact_lock($lock::bigint)', { lock: preparationLock }, tx);
    const present = await db.rows<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute
        WHERE attrelid = to_regclass($table) AND attnum > 0 AND NOT attisdropped`,
      { table },
      tx,
    );
    if (present.length === 0) {
      await createTable(db, index, table, tx);
      return indexTable(db, index, table, tx);
    }
    const missing = columnsOf(index).filter(({ member }) => !present.some(({ name }) => name === member));
    if (missing.length === 0) return;
    await db.rows(`ALTER TABLE ${table} ${missing.map((one) => `ADD COLUMN ${columnSql(one)}`).join(', ')}`, {}, tx);
    const isMissing = (list: readonly string[]): boolean => missing.some(({ member }) => list.includes(member));
    await indexLists(db, table, (index.lists ?? []).filter(isMissing), tx);
  });
}

/** Creates a table without indexes: indexing it after filling is several times faster. */
export async function createTable(db: SqlDatabase, index: SearchIndex, table: string, tx?: Transaction): Promise<void> {
  const columns = columnsOf(index).map((column) => `, ${columnSql(column)}`);
  await db.rows(
    `CREATE TABLE ${table} (
       id text COLLATE "C" NOT NULL, words tsvector NOT NULL, filters jsonb NOT NULL, sorts jsonb NOT NULL,
       digest text NOT NULL DEFAULT ''${columns.join('')}
     )`,
    {},
    tx,
  );
}

/** Computed by PostgreSQL, so that writers of documents know only `filters` and `sorts`. */
function columnSql({ name, type, value }: MemberColumn): string {
  return `${name} ${type} NOT NULL GENERATED ALWAYS AS (${value}) STORED`;
}

/** PostgreSQL chooses the index names, so that they do not collide after the table is renamed. */
export async function indexTable(db: SqlDatabase, index: SearchIndex, table: string, tx?: Transaction): Promise<void> {
  await db.rows(`ALTER TABLE ${table} ADD PRIMARY KEY (id)`, {}, tx);
  await db.rows(`CREATE INDEX ON ${table} USING gin (words)`, {}, tx);
  await db.rows(`CREATE INDEX ON ${table} USING gin (filters jsonb_path_ops)`, {}, tx);
  await indexLists(db, table, index.lists ?? [], tx);
}

/** Each index ends with the id, which orders equal documents: a list is then read from its index alone. */
async function indexLists(
  db: SqlDatabase,
  table: string,
  lists: readonly (readonly string[])[],
  tx?: Transaction,
): Promise<void> {
  for (const list of lists)
    await db.rows(`CREATE INDEX ON ${table} (${list.map((member) => `"${member}"`).join(', ')}, id)`, {}, tx);
}

/** Replaces the table in use with the new one, in one transaction: searches always see one of them. */
export async function swapTables(db: SqlDatabase, indexName: string): Promise<void> {
  // VACUUM also sets the visibility map, without which index-only scans are impossible.
  await db.rows(`VACUUM (ANALYZE) ${nextTableOf(indexName)}`);
  await db.transaction(async (tx) => {
    await db.rows(`DROP TABLE IF EXISTS ${tableOf(indexName)}`, {}, tx);
    await db.rows(`ALTER TABLE ${nextTableOf(indexName)} RENAME TO "search_documents_${indexName}"`, {}, tx);
  });
}
