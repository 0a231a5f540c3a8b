import type { Closable } from './platform/openInOrder.js';
import { ConfigError, type Config } from './platform/config.js';
import type { ProcessContext } from './platform/processContext.js';
import { ServiceError } from './platform/errors.js';
import { mailFolder } from './platform/mail/mailFiles.js';
import { restrictFileAccess } from './platform/storage/fileAccess.js';
import { storageFolder } from './platform/storage/openStorage.js';
import { workFolder } from './platform/storage/workFolder.js';
import { misspeltSettings, readConfig, setButRemoved } from './settings.js';

/** The opened resources of a process; `close` releases them. */
type Opened = Pick<ProcessContext, 'log' | 'readiness'> & Closable;

/** A process with its own entry point: web, worker, live or clock. */
export interface ProcessDefinition<Ctx extends Opened> {
  readonly kind: Config['process'];
  /** Opens what the process uses, without waiting for a server. */
  readonly open: (config: Config) => Promise<Ctx>;
  /**
   * Starts the work of the process and resolves with the function that ends it within `stopMs`. The message of a rejection is
   * printed for the operator.
   */
  readonly start: (ctx: Ctx) => Promise<(stopMs: number) => Promise<void>>;
  /** Called when the process is ready, before the message `ready` to its parent. */
  readonly onReady?: (ctx: Ctx) => Promise<void>;
  /** Maximum time for ending the work. The process then closes its connections, and exits at most `closeMs` later. */
  readonly stopMs: (config: Config) => number;
}

const uncaught = { uncaughtException: 'uncaught exception', unhandledRejection: 'unhandled rejection' } as const;
/** Error codes of a connection or stream that ended prematurely. */
const brokenExchange = new Set([
  ...['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ABORT_ERR'],
  ...['ERR_STREAM_DESTROYED', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'],
]);

/** Time for closing connections to other servers after the work has ended. */
export const closeMs = 2_500;

/** `stopMs` with a fixed maximum, but at most `SHUTDOWN_SECONDS`. */
export function stopWithin(maxMs: number): (config: Config) => number {
  return ({ stop }) => Math.min(maxMs, stop.shutdownSeconds * 1_000);
}

/**
 * Runs a process: reads the settings, makes its files private, opens the context, starts the work, and shuts down gracefully at
 * SIGTERM or SIGINT. A second signal has no effect. Invalid settings or a failed start end it with exit code 1 and one message. A
 * parent process with an IPC channel receives the message `ready` after the first check in which the database works, when
 * `/readyz` responds 200.
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
      if (endsOneExchange(error)) return ctx.log.error({ err: error }, `${name}: only this request or job fails`);
      ctx.log.fatal({ err: error }, name);
      process.exit(1);
    });
  }
  for (const { name, setting } of misspeltSettings(process.env))
    ctx.log.warn({ name, setting }, 'unknown setting, possibly misspelt');
  for (const name of setButRemoved(process.env)) ctx.log.warn({ name }, 'setting removed, value ignored');
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
 * Whether an uncaught error concerns only one request or job: a peer has disconnected, or the error has a response for a caller.
 * The state of the process is not affected. Any other error is a defect that may have left inconsistent state, and ends the
 * process.
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
