import type { Closable } from './platform/openInTurn.js';
import { ConfigError, type Config } from './platform/config.js';
import type { Context } from './platform/context.js';
import { readConfig } from './settings.js';

/** What a process has opened; `close` ends it. */
type Opened = Pick<Context, 'log' | 'readiness'> & Closable;

/** A process with its own entry point: web, worker, live or clock. */
export interface ProcessDefinition<Ctx extends Opened> {
  readonly kind: Config['process'];
  /** Opens what the process uses, without waiting for a server. */
  readonly open: (config: Config) => Promise<Ctx>;
  /** Starts the work of the process and resolves with the function that ends it. The message of an error goes to the operator. */
  readonly start: (ctx: Ctx) => Promise<() => Promise<void>>;
  /** From the signal to the forced end. A process must have ended ten seconds after SIGTERM. */
  readonly stopMs: number;
}

/**
 * Runs a process: reads the settings, opens the context, starts the work, and ends in order at SIGTERM or SIGINT. A
 * second signal changes nothing. Bad settings, or a failed start, end it with exit code 1 and one message. A parent
 * process with an IPC channel gets the message `ready`.
 */
export async function runProcess<Ctx extends Opened>(definition: ProcessDefinition<Ctx>): Promise<void> {
  const { kind, open, start, stopMs } = definition;
  const ctx = await open(settings(kind));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      ctx.log.fatal({ err: error }, event === 'uncaughtException' ? 'uncaught exception' : 'unhandled rejection');
      process.exit(1);
    });
  }
  const stop = await start(ctx).catch((error: unknown) =>
    exitWith(error instanceof Error ? error.message : String(error)),
  );
  let stopping: Promise<void> | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void (stopping ??= end(ctx, stop, signal, stopMs)));
  }
  ctx.log.info('ready');
  ctx.readiness.watch();
  process.send?.('ready');
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

async function end(ctx: Opened, stop: () => Promise<void>, signal: string, stopMs: number): Promise<void> {
  ctx.log.info({ signal }, 'stopping');
  setTimeout(() => process.exit(1), stopMs).unref();
  await stop();
  await ctx.close();
  ctx.log.info('stopped');
  process.exit(0);
}
