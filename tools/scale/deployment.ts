import pg from 'pg';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContext } from '../../shared/openContext.js';
import { indexes } from '../../shared/indexes.js';
import { createLogger } from '../../shared/platform/createLogger.js';
import { readConfig } from '../../shared/settings.js';
import { loadCredentials } from '../../scripts/embedded/credentials.js';
import { migrate } from '../../scripts/migrate.js';
import { forgetFrequentIds, generateRows } from './generate.js';

interface Deployment {
  readonly client: pg.Client;
  readonly bytes: number;
  /** Deletes the database, whose disk space the next deployment needs. */
  remove(): Promise<void>;
}

/** A database with the rows and the search indexes of a deployment with `contents` contents. */
export async function createDeployment(
  serverUrl: string,
  contents: number,
  onProgress: (percent: number) => void,
): Promise<Deployment> {
  const url = new URL(serverUrl);
  const name = `scale_${contents}`;
  await administer(serverUrl, `CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  await migrate(url.href);
  const clients = await Promise.all(Array.from({ length: availableParallelism() }, () => connect(url.href)));
  await generateRows(clients, contents, (percent) => onProgress(percent * 0.9));
  await Promise.all(clients.map((client) => client.end()));
  await buildIndexes(url.href, (percent) => onProgress(90 + percent * 0.1));
  const client = await connect(url.href);
  await forgetFrequentIds(client);
  const { rows } = await client.query<{ bytes: number }>(
    'SELECT pg_database_size(current_database())::float8 AS bytes',
  );
  return {
    client,
    bytes: rows[0]?.bytes ?? 0,
    async remove() {
      await client.end();
      await administer(serverUrl, `DROP DATABASE ${name}`);
    },
  };
}

async function administer(serverUrl: string, statement: string): Promise<void> {
  const admin = await connect(serverUrl);
  await admin.query(statement);
  await admin.end();
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // The running statement rejects as well.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Builds the search indexes as `npm run reindex` does. */
async function buildIndexes(databaseUrl: string, onProgress: (percent: number) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'video-platform-scale-'));
  const settings = { ...loadCredentials(folder, {}), DATABASE_URL: databaseUrl, DATA_DIR: folder, PAYMENTS: 'sandbox' };
  const ctx = await openContext(readConfig('script', settings), {
    log: createLogger({ process: 'script', level: 'error' }),
  });
  try {
    // The generated jobs stay in the outbox.
    await ctx.outbox.close();
    for (const [position, { name }] of indexes.entries())
      await ctx.search.maintenance.rebuild('postgres', name, undefined, (done, total) =>
        onProgress(((position + done / Math.max(1, total)) / indexes.length) * 100),
      );
  } finally {
    await ctx.close();
    await rm(folder, { recursive: true, force: true });
  }
}
