import { once } from 'node:events';
import type { Server } from 'node:http';
import { openContext, type OpenContext } from '../shared/context.js';
import type { Config } from '../shared/platform/config.js';
import { runProcess } from '../shared/processLifecycle.js';
import { startBandCounter } from '../shared/playback/bandCounter.js';
import { createApp } from './app.js';
import { createHttpServer, stopServer } from './http/server.js';

/** Requests in progress may take this long after a signal to stop. */
const drainMs = 7_000;
/** Then the connections are closed within this time. */
const closeMs = 2_500;

await runProcess({ kind: 'web', open: openContext, start, stopMs: drainMs + closeMs });

async function start(ctx: OpenContext): Promise<() => Promise<void>> {
  const { http, service, payments } = ctx.config;
  const server = createHttpServer(createApp(ctx));
  const stopBandCounter = startBandCounter(ctx);
  await listen(server, ctx.config);
  ctx.log.info({ host: http.host, port: http.port, address: service.publicUrl }, 'listening');
  if (payments.provider === 'sandbox')
    ctx.log.warn('payments go to the sandbox, where no money is paid: set PAYPAL_* or STRIPE_* to be paid');
  if (payments.provider === 'none')
    ctx.log.warn('no payment provider: paid offers are refused; set PAYPAL_*, STRIPE_* or PAYMENTS=sandbox');
  return async () => {
    ctx.contentStateFeed.close();
    ctx.liveCaches.parts.close();
    await stopServer(server, drainMs);
    await stopBandCounter();
  };
}

/** Rejects with a message for the operator where the port cannot be opened. */
async function listen(server: Server, { http: { host, port } }: Config): Promise<void> {
  const listening = once(server, 'listening');
  server.listen(port, host);
  try {
    await listening;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(
      code === 'EADDRINUSE'
        ? `Port ${port} is taken: stop what uses it, or set PORT to another.`
        : `Port ${port} of ${host} cannot be opened: ${message}`,
      { cause: error },
    );
  }
}
