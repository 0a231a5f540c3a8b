/*
 * Loaded before a command that works on the database (`npm run migrate`, `npm run reindex`): without DATABASE_URL it
 * works on the one of the `npm start` that runs in the data folder.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { keptCredentials } from './credentials.js';
import { databaseUrlOf } from './postgres.js';

interface Running {
  readonly port: number;
  readonly password: string;
}

const dataDir = resolve(process.env['DATA_DIR'] || '.data');
const kept = join(dataDir, 'postgres.json');
if (!process.env['DATABASE_URL'] && existsSync(kept)) {
  const { port, password } = JSON.parse(readFileSync(kept, 'utf8')) as Running;
  Object.assign(process.env, keptCredentials(dataDir, process.env), {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrlOf(port, password),
  });
}
