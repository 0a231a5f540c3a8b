import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContext } from '../../../shared/openContext.js';
import { readConfig } from '../../../shared/settings.js';
import { runOnce } from '../../../scripts/embedded/children.js';
import { loadCredentials } from '../../../scripts/embedded/credentials.js';
import { startTestDatabase } from '../../../scripts/embedded/embeddedDatabase.js';
import { freePort } from '../../../scripts/embedded/freePort.js';
import { readableLine } from '../../../scripts/embedded/logLine.js';
import { findMediaTools } from '../../../scripts/embedded/mediaTools.js';
import { createShutdown, type Shutdown } from '../../../scripts/embedded/shutdown.js';
import { createTerminal, type Terminal } from '../../../scripts/embedded/terminal.js';
import { migrate } from '../../../scripts/migrate.js';
import { createTrace } from './trace.js';
import { walk } from './walk.js';

/**
 * `npm run demo:commerce`: sells and buys every kind of item, on its own service and database, which are removed afterwards. Every
 * step is an HTTP call that any client can make. Each step is printed, and the ledger is checked at the end.
 */
async function demonstrate(terminal: Terminal, shutdown: Shutdown): Promise<void> {
  const environment = await prepare(terminal, shutdown);
  for (const entry of ['api/main.js', 'workers/main.js']) {
    const name = entry.split('/', 1)[0] ?? entry;
    const print = (line: string): void => {
      if (/"level":[56]0\b/.test(line)) terminal.print(readableLine(name, line, false));
    };
    const child = runOnce({ name, entry, environment, print, say: terminal.say });
    shutdown.add(() => child.stop());
    await child.ready;
  }
  const ctx = await openContext(readConfig('script', environment));
  shutdown.add(() => ctx.close());
  const trace = createTrace(terminal.print);
  await walk({ ctx, trace, terminal, signal: shutdown.signal });
}

async function prepare(terminal: Terminal, shutdown: Shutdown): Promise<Record<string, string>> {
  const tools = await findMediaTools(process.env, terminal.say);
  const dataDir = await mkdtemp(join(tmpdir(), 'video-platform-demo-'));
  shutdown.add(() => rm(dataDir, { recursive: true, force: true }));
  const database = await startTestDatabase();
  shutdown.add(() => database.stop());
  await migrate(database.url);
  const { PATH = '', HOME = '', ENCODER_PRESET = 'veryfast' } = process.env;
  return {
    ...{
      PATH,
      HOME,
      ENCODER_PRESET,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      LOG_LEVEL: 'error',
      PAYMENTS: 'sandbox',
      PORT: String(await freePort()),
    },
    ...{ FFMPEG_PATH: tools.ffmpegPath, FFPROBE_PATH: tools.ffprobePath, ...loadCredentials(dataDir, {}) },
  };
}

const terminal = createTerminal(process.stdout, 'demo');
const shutdown = createShutdown(terminal.say);
try {
  await demonstrate(terminal, shutdown);
  shutdown.begin('The ledger balances to the cent.', 0);
} catch (error) {
  await shutdown.fail(error);
}
