import type pg from 'pg';
import { accountTables } from './rows/accounts.js';
import { commerceTables } from './rows/commerce.js';
import { contentTables } from './rows/contents.js';
import { sizeOf, type GeneratedTable } from './rows/generatedTable.js';
import { liveTables } from './rows/liveStreams.js';
import { platformTables } from './rows/platform.js';

const tables: readonly GeneratedTable[] = [
  ...accountTables,
  ...contentTables,
  ...commerceTables,
  ...liveTables,
  ...platformTables,
];

/** With a small sample, PostgreSQL would assume that the many parts of one item belong to a few items. */
const statisticsTarget = 1_000;

/**
 * Fills the tables of a migrated, empty database with the rows of a deployment with `contents` contents, on all `clients` in
 * parallel. Foreign keys are not checked and triggers do not run; constraints within a table are checked. `onProgress` receives
 * percent.
 */
export async function generateRows(
  clients: readonly pg.Client[],
  contents: number,
  onProgress: (percent: number) => void,
): Promise<void> {
  const largestFirst = [...tables].sort((one, other) => other.perContent - one.perContent);
  const total = 2 * tables.reduce((sum, { perContent }) => sum + perContent, 0);
  let done = 0;
  const forEachTable = (work: (client: pg.Client, table: GeneratedTable) => Promise<unknown>): Promise<unknown> => {
    const waiting = largestFirst.values();
    return Promise.all(
      clients.map(async (client) => {
        for (const table of waiting) {
          await work(client, table);
          done += table.perContent;
          onProgress((done / total) * 100);
        }
      }),
    );
  };
  for (const client of clients)
    await client.query(`SET session_replication_role = replica; SET default_statistics_target = ${statisticsTarget}`);
  await forEachTable((client, table) => fill(client, table, contents));
  // Index-only scans need pages that are visible to all transactions, including those that fill other tables. VACUUM therefore
  // starts after all tables are filled.
  await forEachTable((client, { table }) => client.query(`VACUUM (ANALYZE) ${table}`));
}

/** Fills a table, then builds its indexes, including those of constraints: several times faster than index updates per row. */
async function fill(client: pg.Client, { table, perContent, values }: GeneratedTable, contents: number): Promise<void> {
  await client.query('UPDATE pg_index SET indisready = false, indisvalid = false WHERE indrelid = $1::regclass', [
    table,
  ]);
  const size = Object.entries(sizeOf(contents));
  await client.query(
    `INSERT INTO ${table} (${Object.keys(values).join(', ')})
     SELECT ${Object.values(values).join(', ')}
     FROM generate_series(0, ${Math.round(perContent * contents) - 1}) AS i,
          (VALUES (${size.map(([, count]) => Math.round(count)).join(', ')})) AS size (${size.map(([name]) => name).join(', ')})`,
  );
  await client.query(`REINDEX TABLE ${table}`);
}

/**
 * Deletes the most common values of ids from the statistics. In a small deployment the statistics contain all owners, and expect no
 * rows of others; in a large one they contain some, and expect an average for others: the same statement would be planned for no
 * rows in one and for a hundred in the other.
 */
export async function forgetFrequentIds(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Record<string, unknown>>(`
    SELECT known.schemaname, known.tablename, known.attname, null_frac, avg_width, n_distinct, correlation
      FROM pg_stats known JOIN pg_attribute ON attrelid = format('%I.%I', schemaname, tablename)::regclass AND pg_attribute.attname = known.attname
     WHERE schemaname = 'public' AND (atttypid = 'uuid'::regtype OR known.attname ~ '(Id|_id)$')`);
  for (const { schemaname, tablename, attname, ...statistics } of rows) {
    await client.query('SELECT pg_clear_attribute_stats($1, $2, $3, false)', [schemaname, tablename, attname]);
    await client.query(
      `SELECT pg_restore_attribute_stats('schemaname', $1::text, 'relname', $2::text, 'attname', $3::text, 'inherited', false,
         'null_frac', $4::real, 'avg_width', $5::integer, 'n_distinct', $6::real, 'correlation', $7::real)`,
      [schemaname, tablename, attname, ...Object.values(statistics)],
    );
  }
}
