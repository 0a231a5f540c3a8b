import { once } from 'node:events';
import type { Server } from 'node:http';
import { openContext, type OpenContext } from '../shared/context.js';
import { ConfigError, type Config } from '../shared/platform/config.js';
import { readConfig } from '../shared/settings.js';
import { startBandCounter } from '../shared/playback/bandCounter.js';
import { createApp } from './app.js';
import { createHttpServer, stopServer } from './http/server.js';

/** Of the ten seconds a stop may take, so much is for requests under way; what is open is closed in the rest. */
const drainMs = 7000;
const closeMs = 2500;

/** Settings, or the end of the process with one clear message. */
function settings(): Config {
  try {
    return readConfig('web', process.env);
  } catch (error) {
    return refuse(error instanceof ConfigError ? error.message : String(error));
  }
}

function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

async function listen(server: Server, { http: { host, port } }: Config): Promise<void> {
  const listening = once(server, 'listening');
  server.listen(port, host);
  try {
    await listening;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    refuse(
      code === 'EADDRINUSE'
        ? `Port ${port} is taken: stop what uses it, or set PORT to another.`
        : `Port ${port} of ${host} cannot be opened: ${message}`,
    );
  }
}

/** Ends the process cleanly, within ten seconds; a second signal changes nothing. */
async function stop(server: Server, ctx: OpenContext, signal: string): Promise<void> {
  ctx.log.info({ signal }, 'stopping');
  setTimeout(() => process.exit(1), drainMs + closeMs).unref();
  ctx.contentStateFeed.close();
  await stopServer(server, drainMs);
  await stopBand();
  await ctx.close();
  ctx.log.info('stopped');
  process.exit(0);
}

const config = settings();
const ctx = openContext(config);
const server = createHttpServer(createApp(ctx));
const stopBand = startBandCounter(ctx);

for (const fault of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(fault, (error: unknown) => {
    ctx.log.fatal({ err: error }, 'a fault nobody caught');
    process.exit(1);
  });
}

await listen(server, config);
let stopping: Promise<void> | undefined;
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => void (stopping ??= stop(server, ctx, signal)));
ctx.log.info({ host: config.http.host, port: config.http.port, address: config.service.publicUrl }, 'listening');
if (config.payments.provider === 'sandbox')
  ctx.log.warn('payments go to the sandbox, where anybody pays with nothing: set PAYPAL_* or STRIPE_* to be paid');
process.send?.('ready');
