import type { Database, Transaction } from '../../database/database.js';

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

/** Creates missing tables. */
export async function createTables(db: Database, indexNames: readonly string[]): Promise<void> {
  await db.transaction(async (tx) => {
    await db.rows('SELECT pg_advisory_xact_lock($lock::bigint)', { lock: preparationLock }, tx);
    for (const name of indexNames) {
      const [{ present } = { present: false }] = await db.rows<{ present: boolean }>(
        'SELECT to_regclass($table) IS NOT NULL AS present',
        { table: tableOf(name) },
        tx,
      );
      if (present) continue;
      await createTable(db, tableOf(name), tx);
      await indexTable(db, tableOf(name), tx);
    }
  });
}

/** Creates a table without indexes: to fill it first and index it afterwards is several times faster. */
export async function createTable(db: Database, table: string, tx?: Transaction): Promise<void> {
  await db.rows(
    `CREATE TABLE ${table} (
       id text COLLATE "C" NOT NULL, words tsvector NOT NULL, filters jsonb NOT NULL, sorts jsonb NOT NULL,
       digest text NOT NULL DEFAULT ''
     )`,
    {},
    tx,
  );
}

/** PostgreSQL chooses the names of the indexes, so that they do not collide after the table is renamed. */
export async function indexTable(db: Database, table: string, tx?: Transaction): Promise<void> {
  await db.rows(`ALTER TABLE ${table} ADD PRIMARY KEY (id)`, {}, tx);
  await db.rows(`CREATE INDEX ON ${table} USING gin (words)`, {}, tx);
  await db.rows(`CREATE INDEX ON ${table} USING gin (filters jsonb_path_ops)`, {}, tx);
}

/** Replaces the table in use by the new one, in one transaction: searches always see one of them. */
export async function swapTables(db: Database, indexName: string): Promise<void> {
  await db.rows(`ANALYZE ${nextTableOf(indexName)}`);
  await db.transaction(async (tx) => {
    await db.rows(`DROP TABLE IF EXISTS ${tableOf(indexName)}`, {}, tx);
    await db.rows(`ALTER TABLE ${nextTableOf(indexName)} RENAME TO "search_documents_${indexName}"`, {}, tx);
  });
}
