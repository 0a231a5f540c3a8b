import { resolve } from 'node:path';
import { ConfigError, type Config } from '../shared/platform/config.js';
import { closeMs } from '../shared/processLifecycle.js';
import { readConfig } from '../shared/settings.js';
import { runDemo } from './sample/publishedSample.js';
import { summary } from './sample/summary.js';
import { keepRunning, type Child, type ChildOptions } from './embedded/children.js';
import { loadCredentials } from './embedded/credentials.js';
import { claimDataFolder } from './embedded/dataFolder.js';
import { startEmbeddedDatabase } from './embedded/embeddedDatabase.js';
import { tryPort } from './embedded/freePort.js';
import { readableLine } from './embedded/logLine.js';
import { localSettings } from './embedded/localSettings.js';
import { findMediaTools } from './embedded/mediaTools.js';
import { chooseRtmpPort } from './embedded/rtmpPort.js';
import { StartupError } from './embedded/startupError.js';
import { createShutdown, type Shutdown } from './embedded/shutdown.js';
import { createTerminal, type Terminal } from './embedded/terminal.js';
import { migrate } from './migrate.js';

const processes = [
  { name: 'web', entry: 'api/main.js' },
  { name: 'worker', entry: 'workers/main.js' },
  { name: 'live', entry: 'workers/live.js' },
  { name: 'clock', entry: 'workers/clock.js' },
] as const;

/** A user waits at the terminal, and no proxy needs time to detect that the web process stops. */
const shortStop = { DRAIN_SECONDS: '0', SHUTDOWN_SECONDS: '5' };

/** Runs the complete service on one machine (database, web, worker, live and clock) until SIGINT or SIGTERM. */
async function start(env: NodeJS.ProcessEnv, terminal: Terminal, shutdown: Shutdown): Promise<void> {
  const dataDir = resolve(env['DATA_DIR'] || '.data');
  const claim = claimDataFolder(dataDir);
  shutdown.add(async () => claim.release());
  const credentials = loadCredentials(dataDir, env);
  const settings = {
    ...localSettings(env),
    ...shortStop,
    ...env,
    ...credentials,
    DATA_DIR: dataDir,
    DATABASE_URL: env['DATABASE_URL'] || 'postgres://embedded',
  };
  const { config, rtmp } = await withRtmpPort(settings, terminal);
  await requireFreePort(config);
  const tools = await findMediaTools(env, terminal.say);
  const databaseUrl = env['DATABASE_URL'] || (await embeddedDatabase(dataDir, terminal, shutdown));
  const applied = await migrate(databaseUrl);
  if (applied.length > 0) terminal.say(`Migrations applied: ${applied.join(', ')}.`);
  const environment = {
    ...settings,
    ...rtmp,
    DATABASE_URL: databaseUrl,
    FFMPEG_PATH: tools.ffmpegPath,
    FFPROBE_PATH: tools.ffprobePath,
  };
  const stopWithinMs = (config.stop.drainSeconds + config.stop.shutdownSeconds) * 1_000 + closeMs;
  const children = processes.map((one) =>
    startChild({ ...one, stopWithinMs }, environmentOf(one.name, environment), terminal),
  );
  shutdown.add(async () => void (await Promise.all(children.map((child) => child.stop()))));
  await Promise.all(children.map(({ ready }) => ready));
  terminal.say(`Ready at ${config.service.publicUrl}`);
  const demo = isDemoRequested(env)
    ? await runDemo({ config, ffmpegPath: tools.ffmpegPath, terminal, signal: shutdown.signal })
    : null;
  if (!shutdown.signal.aborted) terminal.print(summary(config, demo));
}

function readSettings(env: NodeJS.ProcessEnv): Config {
  try {
    return readConfig('script', env);
  } catch (error) {
    throw error instanceof ConfigError ? new StartupError(error.message) : error;
  }
}

/**
 * The settings with a usable RTMP port, which web and live processes share. Like the web process, the RTMP server listens on the
 * loopback interface by default.
 */
async function withRtmpPort(
  env: NodeJS.ProcessEnv & { readonly DATA_DIR: string },
  { say }: Terminal,
): Promise<{ config: Config; rtmp: Record<'RTMP_HOST' | 'RTMP_PORT', string> }> {
  const { live, http } = readSettings(env);
  const host = env['RTMP_HOST'] || http.host;
  const configured = env['RTMP_PORT'] ? live.rtmp.port : null;
  const port = await chooseRtmpPort({ dataDir: env.DATA_DIR, host, configured, say });
  const rtmp = { RTMP_HOST: host, RTMP_PORT: String(port) };
  return { config: readSettings({ ...env, ...rtmp }), rtmp };
}

async function requireFreePort({ http: { host, port } }: Config): Promise<void> {
  const fault = await tryPort(port, host);
  if (fault === 'EADDRINUSE')
    throw new StartupError(`Port ${port} is in use: stop the process that uses it, or set PORT to another port.`);
  if (fault !== null) throw new StartupError(`Port ${port} of ${host} cannot be opened (${fault}): set PORT or HOST.`);
}

async function embeddedDatabase(dataDir: string, { say }: Terminal, shutdown: Shutdown): Promise<string> {
  const database = await startEmbeddedDatabase({ dataDir, say, onGiveUp: (reason) => shutdown.begin(reason, 1) });
  shutdown.add(() => database.stop());
  return database.url;
}

function startChild(
  one: Pick<ChildOptions, 'name' | 'entry' | 'stopWithinMs'>,
  environment: Record<string, string>,
  { print, say }: Terminal,
): Child {
  return keepRunning({
    ...one,
    environment,
    say,
    print: (line) => print(readableLine(one.name, line, process.stdout.isTTY)),
  });
}

/** The live process serves its metrics at the port after that of the worker. */
function environmentOf(name: string, environment: NodeJS.ProcessEnv): Record<string, string> {
  const { METRICS_PORT } = environment;
  const metrics = name === 'live' && METRICS_PORT ? { METRICS_PORT: String(Number(METRICS_PORT) + 1) } : {};
  return { ...environment, ...metrics };
}

/** By default only on the embedded database: an existing database should not get a demo user. */
function isDemoRequested(env: NodeJS.ProcessEnv): boolean {
  return env['DEMO'] ? env['DEMO'] !== 'off' : !env['DATABASE_URL'];
}

const terminal = createTerminal(process.stdout);
const shutdown = createShutdown(terminal.say);
try {
  await start(process.env, terminal, shutdown);
} catch (error) {
  await shutdown.fail(error);
}
