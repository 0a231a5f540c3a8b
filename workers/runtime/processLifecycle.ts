import { openContext, type OpenContext } from '../../shared/context.js';
import { ConfigError, type Config } from '../../shared/platform/config.js';
import { readConfig } from '../../shared/settings.js';

/** A process must be gone ten seconds after SIGTERM; whoever started it may be less patient. */
const stopMs = 7_000;

/**
 * The life of a process that serves no HTTP: settings, context, `start`, and its end at SIGTERM or SIGINT. A second
 * signal changes nothing. Bad settings, or a `start` that fails, end it with 1 and one clear message. Its parent, where
 * it has one that listens, is told when it is ready.
 */
export async function runProcess(
  kind: Config['process'],
  start: (ctx: OpenContext) => Promise<() => Promise<void>>,
): Promise<void> {
  const ctx = openContext(settings(kind));
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(fault, (error: unknown) => {
      ctx.log.fatal({ err: error }, 'a fault nobody caught');
      process.exit(1);
    });
  }
  const stop = await start(ctx).catch((error: unknown) =>
    refuse(error instanceof Error ? error.message : String(error)),
  );
  let stopping: Promise<void> | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void (stopping ??= end(ctx, stop, signal)));
  }
  ctx.log.info('ready');
  process.send?.('ready');
}

function settings(kind: Config['process']): Config {
  try {
    return readConfig(kind, process.env);
  } catch (error) {
    if (error instanceof ConfigError) return refuse(error.message);
    throw error;
  }
}

function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

async function end(ctx: OpenContext, stop: () => Promise<void>, signal: string): Promise<void> {
  ctx.log.info({ signal }, 'stopping');
  setTimeout(() => process.exit(1), stopMs).unref();
  await stop();
  await ctx.close();
  ctx.log.info('stopped');
  process.exit(0);
}
