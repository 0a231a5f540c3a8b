import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, type Config } from '../../../shared/platform/config.js';
import { readConfig } from '../../../shared/settings.js';
import { loadCredentials } from '../../embedded/credentials.js';
import { claimingProcess } from '../../embedded/dataFolder.js';
import { findMediaTools } from '../../embedded/mediaTools.js';
import { createShutdown, type Shutdown } from '../../embedded/shutdown.js';
import { StartupError } from '../../embedded/startupError.js';
import { createTerminal, type Terminal } from '../../embedded/terminal.js';
import { logIn } from '../demoUser.js';
import { keepDemo, localClient, readDemo } from '../demoState.js';
import { prepareBroadcast, type Broadcast } from './broadcast.js';
import { publishTestPicture } from './testPicture.js';

const onAirWithinMs = 30_000;

/**
 * `npm run demo:live [seconds]`: publishes a test picture to a channel of the demo user on the running `npm start`, until
 * Ctrl-C or for so many seconds. Channel, live password and event are created over the HTTP interface, as any client can do.
 */
async function demonstrate(terminal: Terminal, shutdown: Shutdown): Promise<void> {
  const seconds = readSeconds(process.argv[2]);
  const config = configOfRunningStart(process.env);
  const { ffmpegPath } = await findMediaTools(process.env, terminal.say);
  const account = readDemo(config);
  const client = localClient(config);
  const token = await logIn(client, account, () => keepDemo(config, account)).catch((error: unknown) => {
    throw error instanceof TypeError ? new StartupError(`No service at port ${config.http.port}: set PORT.`) : error;
  });
  const broadcast = await prepareBroadcast({ client, token, config });
  terminal.say(`Publishing to ${broadcast.streamingBaseUrl}/${broadcast.streamPath} as ${broadcast.userCode} ...`);
  const publication = publishTestPicture({ ffmpegPath, broadcast, seconds, terminal });
  shutdown.add(() => publication.stop());
  const watching = publication.begun.then(() => untilOnAir(broadcast, shutdown.signal));
  void watching.then(
    () => terminal.print(onAir(config, broadcast)),
    (error: unknown) => (shutdown.signal.aborted ? undefined : shutdown.fail(error)),
  );
  await publication.ended;
}

function onAir({ service }: Config, { channelId }: Broadcast): string {
  return ['', `  On air. Watch at  ${service.publicUrl}/embed/?live=${channelId}`, '  Ctrl-C ends it.', ''].join('\n');
}

async function untilOnAir(broadcast: Broadcast, signal: AbortSignal): Promise<void> {
  for (const deadline = Date.now() + onAirWithinMs; Date.now() < deadline;) {
    if (await broadcast.isOnAir()) return;
    await sleep(500, undefined, { signal });
  }
  throw new StartupError('The event is not on air: see the output of npm start.');
}

function configOfRunningStart(env: NodeJS.ProcessEnv): Config {
  const dataDir = resolve(env['DATA_DIR'] || '.data');
  if (claimingProcess(dataDir) === null)
    throw new StartupError(`No npm start runs in ${dataDir}: start it first, or set DATA_DIR to where one runs.`);
  const credentials = loadCredentials(dataDir, env);
  const DATABASE_URL = env['DATABASE_URL'] || 'postgres://embedded';
  try {
    return readConfig('script', { ...env, ...credentials, DATA_DIR: dataDir, DATABASE_URL });
  } catch (error) {
    throw error instanceof ConfigError ? new StartupError(error.message) : error;
  }
}

function readSeconds(text: string | undefined): number | null {
  if (text === undefined) return null;
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1) throw new StartupError('Usage: npm run demo:live [-- seconds]');
  return seconds;
}

const terminal = createTerminal(process.stdout, 'demo');
const shutdown = createShutdown(terminal.say);
try {
  await demonstrate(terminal, shutdown);
  shutdown.begin('The broadcast is over.', 0);
} catch (error) {
  await shutdown.fail(error);
}
