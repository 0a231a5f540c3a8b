import { resolve } from 'node:path';
import { ConfigError, type Config } from '../../shared/platform/config.js';
import { readConfig } from '../../shared/settings.js';
import { loadCredentials } from '../../scripts/embedded/credentials.js';
import { claimingProcess } from '../../scripts/embedded/dataFolder.js';
import { findMediaTools } from '../../scripts/embedded/mediaTools.js';
import { createShutdown, type Shutdown } from '../../scripts/embedded/shutdown.js';
import { StartupError } from '../../scripts/embedded/startupError.js';
import { createTerminal, type Terminal } from '../../scripts/embedded/terminal.js';
import { keepDemo, localClient, readDemo } from '../../scripts/sample/demoState.js';
import { logInDemoUser } from '../../scripts/sample/demoUser.js';
import type { DemoRun } from '../../scripts/sample/uploadedClip.js';

/**
 * Runs a demo on the running `npm start`, logged in as the demo user, who is registered if there is none. Throws StartupError if no
 * `npm start` runs. The process exits when the demo has ended: with 0 after printing its result, otherwise with 1.
 */
export async function onRunningStart(
  demonstrate: (run: DemoRun, shutdown: Shutdown) => Promise<string>,
): Promise<void> {
  const terminal = createTerminal(process.stdout, 'demo');
  const shutdown = createShutdown(terminal.say);
  try {
    shutdown.begin(await demonstrate(await logInto(terminal, shutdown), shutdown), 0);
  } catch (error) {
    await shutdown.fail(error);
  }
}

async function logInto(terminal: Terminal, { signal }: Shutdown): Promise<DemoRun> {
  const config = configOfRunningStart(process.env);
  const { ffmpegPath } = await findMediaTools(process.env, terminal.say);
  const account = readDemo(config);
  const client = localClient(config);
  await logInDemoUser(client, account, () => keepDemo(config, account)).catch((error: unknown) => {
    throw error instanceof TypeError ? new StartupError(`No service at port ${config.http.port}: set PORT.`) : error;
  });
  return { config, ffmpegPath, terminal, signal, client };
}

function configOfRunningStart(env: NodeJS.ProcessEnv): Config {
  const dataDir = resolve(env['DATA_DIR'] || '.data');
  if (claimingProcess(dataDir) === null)
    throw new StartupError(
      `No npm start runs in ${dataDir}: start it first, or set DATA_DIR to the data folder of a running one.`,
    );
  const credentials = loadCredentials(dataDir, env);
  const DATABASE_URL = env['DATABASE_URL'] || 'postgres://embedded';
  try {
    return readConfig('script', { ...env, ...credentials, DATA_DIR: dataDir, DATABASE_URL });
  } catch (error) {
    throw error instanceof ConfigError ? new StartupError(error.message) : error;
  }
}
