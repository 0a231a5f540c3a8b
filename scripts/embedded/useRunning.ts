/*
 * Loaded before a command that works on the database (`npm run migrate`, `npm run reindex`, `npm run reverse`):
 * without DATABASE_URL it works on the one of the `npm start` that runs in the data folder.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadCredentials } from './credentials.js';
import { claimingProcess } from './dataFolder.js';
import { databaseUrlOf } from './postgres.js';
import { exitWithError, StartupError } from './startupError.js';

interface Running {
  readonly port: number;
  readonly password: string;
}

function useRunning(dataDir: string): void {
  if (claimingProcess(dataDir) === null) {
    throw new StartupError(`No npm start runs in ${dataDir}: set DATABASE_URL, or DATA_DIR to where one runs.`);
  }
  const { port, password } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')) as Running;
  const credentials = loadCredentials(dataDir, process.env);
  Object.assign(process.env, credentials, { DATA_DIR: dataDir, DATABASE_URL: databaseUrlOf(port, password) });
}

try {
  if (!process.env['DATABASE_URL']) useRunning(resolve(process.env['DATA_DIR'] || '.data'));
} catch (error) {
  exitWithError(error);
}
