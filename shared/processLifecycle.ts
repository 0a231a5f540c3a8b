import type { Closable } from './platform/openInOrder.js';
import { ConfigError, type Config } from './platform/config.js';
import type { ProcessContext } from './platform/processContext.js';
import { ServiceError } from './platform/errors.js';
import { mailFolder } from './platform/mail/mailFiles.js';
import { restrictFileAccess } from './platform/storage/fileAccess.js';
import { storageFolder } from './platform/storage/openStorage.js';
import { workFolder } from './platform/storage/workFolder.js';
import { misspeltSettings, readConfig, setButRemoved } from './settings.js';

/** What a process has opened; `close` ends it. */
type Opened = Pick<ProcessContext, 'log' | 'readiness'> & Closable;

/** A process with its own entry point: web, worker, live or clock. */
export interface ProcessDefinition<Ctx extends Opened> {
  readonly kind: Config['process'];
  /** Opens what the process uses, without waiting for a server. */
  readonly open: (config: Config) => Promise<Ctx>;
  /**
   * Starts the work of the process and resolves with the function that ends it, within `stopMs`. The message of an error goes
   * to the operator.
   */
  readonly start: (ctx: Ctx) => Promise<(stopMs: number) => Promise<void>>;
  /** Called when the process is ready, before it says so to its parent. */
  readonly onReady?: (ctx: Ctx) => Promise<void>;
  /** How long the end of the work may take. Then the process closes its connections, and ends `closeMs` later at the latest. */
  readonly stopMs: (config: Config) => number;
}

const uncaught = { uncaughtException: 'uncaught exception', unhandledRejection: 'unhandled rejection' } as const;
/** Errors of a connection or stream that has ended before its time. */
const brokenExchange = new Set([
  ...['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ABORT_ERR'],
  ...['ERR_STREAM_DESTROYED', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'],
]);

/** For closing connections to other servers, after the work has ended. */
export const closeMs = 2_500;

/** `stopMs` of a process that needs so long at most, and no longer than `SHUTDOWN_SECONDS`. */
export function stopWithin(maxMs: number): (config: Config) => number {
  return ({ stop }) => Math.min(maxMs, stop.shutdownSeconds * 1_000);
}

/**
 * Runs a process: reads the settings, makes its files private, opens the context, starts the work, and ends in order at SIGTERM or SIGINT. A
 * second signal changes nothing. Bad settings, or a failed start, end it with exit code 1 and one message. A parent
 * process with an IPC channel gets the message `ready` after the first check in which the database works, as `/readyz` responds 200.
 */
export async function runProcess<Ctx extends Opened>(definition: ProcessDefinition<Ctx>): Promise<void> {
  const { kind, open, start, stopMs, onReady } = definition;
  const config = settings(kind);
  const openFolders = await restrictFileAccess({
    files: storageFolder(config),
    keepsFilesOpen: config.playback.delivery === 'accel',
    onlyOurs: [mailFolder(config), workFolder(config)],
  });
  const ctx = await open(config);
  for (const [event, name] of Object.entries(uncaught)) {
    process.on(event, (error: unknown) => {
      if (endsOneExchange(error)) return ctx.log.error({ err: error }, `${name}: only its request or job fails`);
      ctx.log.fatal({ err: error }, name);
      process.exit(1);
    });
  }
  for (const { name, setting } of misspeltSettings(process.env))
    ctx.log.warn({ name, setting }, 'unknown setting: perhaps another one is meant');
  for (const name of setButRemoved(process.env))
    ctx.log.warn({ name }, 'setting removed: its value is fixed, and this one is ignored');
  for (const folder of openFolders) ctx.log.warn({ folder }, 'folder is readable by every user of this machine');
  const stop = await start(ctx).catch((error: unknown) =>
    exitWith(error instanceof Error ? error.message : String(error)),
  );
  let stopping: Promise<void> | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void (stopping ??= end(ctx, stop, signal, stopMs(config))));
  }
  await ctx.readiness.watch();
  await onReady?.(ctx);
  process.send?.('ready');
}

/**
 * Whether an error that nothing has caught describes one request or job: a peer has left, or a caller gets a response for it. It says
 * nothing about the state of the process. Any other error is a defect that could have left anything half done, and ends the process.
 */
export function endsOneExchange(error: unknown): boolean {
  return error instanceof ServiceError || brokenExchange.has(String((error as NodeJS.ErrnoException | null)?.code));
}

function settings(kind: Config['process']): Config {
  try {
    return readConfig(kind, process.env);
  } catch (error) {
    if (error instanceof ConfigError) return exitWith(error.message);
    throw error;
  }
}

function exitWith(message: string): never {
  console.error(message);
  process.exit(1);
}

async function end(
  ctx: Opened,
  stop: (stopMs: number) => Promise<void>,
  signal: string,
  stopMs: number,
): Promise<void> {
  ctx.log.info({ signal }, 'stopping');
  setTimeout(() => process.exit(1), stopMs + closeMs).unref();
  await stop(stopMs);
  await ctx.close();
  ctx.log.info('stopped');
  process.exit(0);
}
