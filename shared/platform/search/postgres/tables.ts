import type { Database, Transaction } from '../../database/database.js';

/** Two processes preparing at once wait for each other ('SRCH' in ASCII). */
const preparationLock = 0x53524348;

/** Table of an index's documents, quoted; index names are checked by `checkDefinitions`. */
export function tableOf(indexName: string): string {
  return `"search_documents_${indexName}"`;
}

/** The table that a rebuild fills. */
export function nextTableOf(indexName: string): string {
  return `"search_documents_${indexName}_next"`;
}

/** Makes the tables that are missing. */
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

/** An empty table without indexes: filling it first and indexing it after is several times faster. */
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

/** PostgreSQL names the indexes itself, so that a table that is renamed later leaves no name in the way. */
export async function indexTable(db: Database, table: string, tx?: Transaction): Promise<void> {
  await db.rows(`ALTER TABLE ${table} ADD PRIMARY KEY (id)`, {}, tx);
  await db.rows(`CREATE INDEX ON ${table} USING gin (words)`, {}, tx);
  await db.rows(`CREATE INDEX ON ${table} USING gin (filters jsonb_path_ops)`, {}, tx);
}

/** Puts the built table in the place of the present one: searches see the one or the other, never none. */
export async function swapTables(db: Database, indexName: string): Promise<void> {
  await db.rows(`ANALYZE ${nextTableOf(indexName)}`);
  await db.transaction(async (tx) => {
    await db.rows(`DROP TABLE IF EXISTS ${tableOf(indexName)}`, {}, tx);
    await db.rows(`ALTER TABLE ${nextTableOf(indexName)} RENAME TO "search_documents_${indexName}"`, {}, tx);
  });
}
