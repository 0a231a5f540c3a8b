/*
 * Loaded before a command that works on the database (`npm run migrate`, `npm run reindex`, `npm run plan`, ...):
 * if DATABASE_URL is not set, the command uses the database of the `npm start` that runs in the data folder.
 */
import { resolve } from 'node:path';
import { loadCredentials } from './credentials.js';
import { runningDatabaseUrl } from './embeddedDatabase.js';
import { claimingProcess } from './dataFolder.js';
import { localSettings } from './localSettings.js';
import { exitWithError, StartupError } from './startupError.js';

function useRunning(dataDir: string): void {
  if (claimingProcess(dataDir) === null) {
    throw new StartupError(
      `No npm start runs in ${dataDir}: set DATABASE_URL, or set DATA_DIR to the data folder of a running one.`,
    );
  }
  const credentials = loadCredentials(dataDir, process.env);
  Object.assign(
    process.env,
    { ...localSettings(process.env), ...process.env, ...credentials },
    { DATA_DIR: dataDir, DATABASE_URL: runningDatabaseUrl(dataDir) },
  );
}

try {
  if (!process.env['DATABASE_URL']) useRunning(resolve(process.env['DATA_DIR'] || '.data'));
} catch (error) {
  exitWithError(error);
}
