import { pathToFileURL } from 'node:url';
import { runMigrations } from 'bullmq';
import pg from 'pg';
import { Umzug, type UmzugStorage } from 'umzug';
import { withErrorListener } from '../shared/platform/errorListener.js';
import { exitWithError, StartupError } from './embedded/startupError.js';
import { migrations } from './migrations/index.js';

/** 'MIGR' in ASCII. Two migrations at the same time wait for each other. */
const migrationLock = 0x4d494752;

/**
 * Applies the missing migrations, each in its own transaction, and the migrations of the job queues. Resolves with the names of the
 * applied migrations.
 *
 * @throws StartupError if the database cannot be used, or has data of version 0.x.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const client = await connect(databaseUrl);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    await refuseEarlierVersion(client);
    const umzug = new Umzug({
      migrations: migrations.map(({ name, up }) => ({ name, up: () => applyInTransaction(client, name, up) })),
      storage: journal(client),
      logger: undefined,
    });
    const applied = await umzug.up();
    // Tables and migration journal of BullMQ, in the schema `bullmq`.
    await runMigrations(client);
    return applied.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Version 1.0 has no migration from the schema of 0.x, whose migrations have names that begin with 0. */
async function refuseEarlierVersion(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query("SELECT 1 FROM migrations WHERE name LIKE '0%' LIMIT 1");
  if (rowCount)
    throw new StartupError(
      'The database has data of version 0.x, which version 1.0 cannot read: give it an empty DATA_DIR (npm start) or an empty database (DATABASE_URL), or keep running version 0.x on these data.',
    );
}

/** The error message never contains the URL, because the URL contains the password. */
async function connect(databaseUrl: string): Promise<pg.Client> {
  try {
    const client = withErrorListener(new pg.Client({ connectionString: databaseUrl }));
    await client.connect();
    return client;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new StartupError(`The database of DATABASE_URL cannot be used: ${message || code}`);
  }
}

async function applyInTransaction(client: pg.Client, name: string, statements: string): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(statements);
    await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** Throws StartupError if `DEFAULT_PLAN` is not the name of a plan: new users would silently get Free. */
async function requirePlan(databaseUrl: string, name: string): Promise<void> {
  const client = await connect(databaseUrl);
  try {
    const { rows } = await client.query<{ name: string }>('SELECT name FROM license_plans ORDER BY price_cents, id');
    if (rows.some((plan) => plan.name.toLowerCase() === name.toLowerCase())) return;
    throw new StartupError(`DEFAULT_PLAN is ${name}: the plans are ${rows.map((plan) => plan.name).join(', ')}.`);
  } finally {
    await client.end();
  }
}

/** The migration's own transaction writes the journal, so `logMigration` does nothing. */
function journal(client: pg.Client): UmzugStorage {
  return {
    logMigration: async () => {},
    unlogMigration: async () => {
      throw new Error('migrations have no down step');
    },
    async executed() {
      const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY name');
      return rows.map(({ name }) => name);
    },
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // A pooler may run each transaction in another session, and the migrations' advisory lock belongs to a session.
  const url = process.env['QUEUE_DATABASE_URL'] || process.env['DATABASE_URL'];
  if (!url) {
    console.error('DATABASE_URL is not set.');
    process.exit(1);
  }
  const applied = await migrate(url).catch(exitWithError);
  await requirePlan(url, process.env['DEFAULT_PLAN'] || 'Free').catch(exitWithError);
  console.log(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`);
}
