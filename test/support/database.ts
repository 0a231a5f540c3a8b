import { createHash, randomBytes } from 'node:crypto';
import { LATEST_SCHEMA_VERSION } from 'bullmq';
import pg from 'pg';
import { migrate } from '../../scripts/migrate.js';
import { migrations } from '../../scripts/migrations/index.js';

/** The server of this test run, set by `npm test`: a URL with administrator credentials. */
function serverOfThisRun(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run the tests with npm test');
  return url;
}

/** URL of another database on the same server. */
function addressOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function onServer<Result>(server: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const template = `template_${createHash('sha256')
  .update(JSON.stringify([migrations, LATEST_SCHEMA_VERSION]))
  .digest('hex')
  .slice(0, 12)}`;

/** Migrates the template once per server, for any number of test processes. */
async function ensureTemplate(server: string, client: pg.Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock(20010)');
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate', [template]);
  if (rowCount === 0) {
    await client.query(`DROP DATABASE IF EXISTS ${template}`);
    await client.query(`CREATE DATABASE ${template}`);
    await migrate(addressOf(server, template));
    await client.query(`ALTER DATABASE ${template} IS_TEMPLATE true`);
  }
  await client.query('SELECT pg_advisory_unlock(20010)');
}

/** A separate database, empty or migrated: cloned from the template in some tens of milliseconds. */
export async function createTestDatabase(
  server = serverOfThisRun(),
  { isMigrated = true } = {},
): Promise<{ url: string; close: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(server, async (client) => {
    if (isMigrated) await ensureTemplate(server, client);
    await client.query(`CREATE DATABASE ${name}${isMigrated ? ` TEMPLATE ${template} STRATEGY FILE_COPY` : ''}`);
  });
  return {
    url: addressOf(server, name),
    close: () =>
      onServer(server, async (client) => void (await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))),
  };
}

/** A database user with a connection limit and the administrator's rights on database objects. */
export async function createLimitedUser(connections: number): Promise<{
  readonly name: string;
  /** The URL of a database for this user. */
  addressOf(databaseUrl: string): string;
  /** Removes the user; call it when the databases with its tables are dropped. */
  close(): Promise<void>;
}> {
  const server = serverOfThisRun();
  const [name, password] = [`limited_${randomBytes(6).toString('hex')}`, randomBytes(12).toString('hex')];
  const { username } = new URL(server);
  await onServer(server, (client) =>
    client.query(
      `CREATE ROLE ${name} LOGIN PASSWORD '${password}' CONNECTION LIMIT ${connections} IN ROLE ${username}`,
    ),
  );
  return {
    name,
    addressOf: (databaseUrl) => Object.assign(new URL(databaseUrl), { username: name, password }).href,
    close: () => onServer(server, async (client) => void (await client.query(`DROP ROLE ${name}`))),
  };
}
