import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { ListenOptions } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { contentStateFeed } from '../shared/content/contentStateFeed.js';
import { liveCaches } from '../shared/streaming/liveTimeline.js';
import { openContext, type OpenContext } from '../shared/openContext.js';
import { runProcess } from '../shared/processLifecycle.js';
import { reportUnknownDefaultPlan } from '../shared/license/plan.queries.js';
import { startBandCounter } from '../shared/playback/bandCounter.js';
import { createApp } from './app.js';
import { createHttpServer } from './http/httpServer.js';
import { stopOf, type StopTimes } from './http/serverStop.js';
import { removeUnusedSocket } from './http/unusedSocket.js';
import { reportStopping } from './operators/readinessReport.js';

type ListenAddress = Pick<ListenOptions, 'host' | 'port' | 'path'>;

/** nginx has its own account. The permissions of the socket's folder restrict access. */
const openToAll = { readableAll: true, writableAll: true };
/** Maximum time for idle connections after the port is closed. */
const maxIdleMs = 1_000;

await runProcess({
  kind: 'web',
  open: openContext,
  start,
  onReady: reportUnknownDefaultPlan,
  stopMs: ({ stop }) => (stop.drainSeconds + stop.shutdownSeconds) * 1_000,
});

async function start(ctx: OpenContext): Promise<() => Promise<void>> {
  const { http, service, payments, stop } = ctx.config;
  const app = createApp(ctx);
  const stopBandCounter = startBandCounter(ctx);
  const stopServers = [
    await serve(ctx, app, { host: http.host, port: http.port }),
    ...(http.socketPath === null ? [] : [await serve(ctx, app, { path: http.socketPath, ...openToAll })]),
  ];
  ctx.log.info({ host: http.host, port: http.port, socket: http.socketPath, address: service.publicUrl }, 'listening');
  if (payments.provider === 'sandbox')
    ctx.log.warn('payments go to the sandbox, without real money: set PAYPAL_* or STRIPE_* for real payments');
  if (payments.provider === 'none')
    ctx.log.warn('no payment provider, paid offers are refused: set PAYPAL_*, STRIPE_* or PAYMENTS=sandbox');
  return async () => {
    reportStopping(ctx);
    const drainMs = stop.drainSeconds * 1_000;
    await sleep(drainMs);
    // Responses that never end by themselves.
    contentStateFeed(ctx).close();
    liveCaches(ctx).parts.close();
    const times = { idleMs: Math.min(drainMs, maxIdleMs), requestsMs: stop.shutdownSeconds * 1_000 };
    await Promise.all(stopServers.map((stopServer) => stopServer(times)));
    await stopBandCounter();
  };
}

/** Rejects with a message for the operator if the port or socket cannot be opened. */
async function serve(
  ctx: OpenContext,
  app: RequestListener,
  address: ListenAddress,
): Promise<(times: StopTimes) => Promise<void>> {
  if (address.path !== undefined) await removeUnusedSocket(address.path);
  const server = createHttpServer(ctx, app);
  const stop = stopOf(server);
  const listening = once(server, 'listening');
  server.listen(address);
  try {
    await listening;
  } catch (error) {
    throw new Error(reasonOf(error as NodeJS.ErrnoException, address), { cause: error });
  }
  return stop;
}

function reasonOf({ code, message }: NodeJS.ErrnoException, { host, port, path }: ListenAddress): string {
  const isTaken = code === 'EADDRINUSE';
  if (path !== undefined)
    return isTaken
      ? `SOCKET_PATH ${path} is in use: stop the process that uses it, or remove it.`
      : `SOCKET_PATH ${path} cannot be opened: ${message}`;
  return isTaken
    ? `Port ${port} is in use: stop the process that uses it, or set PORT to another number.`
    : `Port ${port} of ${host} cannot be opened: ${message}`;
}
