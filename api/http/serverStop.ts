import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Server, ServerResponse } from 'node:http';
import { Server as PortServer } from 'node:net';
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';

export interface StopTimes {
  /** Connections without a request stay open for this long after the port is closed. */
  readonly idleMs: number;
  /** All remaining connections are cut this long after the port is closed. */
  readonly requestsMs: number;
}

/** An event loop iteration that is shorter than this has handled no events. */
const quietSliceMs = 0.2;
/** Limit of the search for such an iteration, which heavy load may prevent. */
const quietSearchMs = 200;
/** Limit of the search for an iteration without a connection, which a constant stream of connections may prevent. */
const maxSearchMs = 2_000;
/** Clients that have looked up the socket before its removal have connected within this time. */
const connectMs = 50;

/**
 * Prepares the graceful stop of a server; call it before the server listens. The returned function closes the port, and resolves
 * when every connection is closed. A proxy in front loses no request:
 * - The port is closed while no connection waits to be accepted.
 * - From then on each response has `Connection: close`, so that a proxy sends no further request on that connection.
 * - Idle connections stay open for a while: a proxy may be about to send a request on one of them.
 * - Requests in progress, such as uploads, continue.
 */
export function stopOf(server: Server): (times: StopTimes) => Promise<void> {
  const inProgress = new Set<ServerResponse>();
  let isStopping = false;
  server.prependListener('request', (_request, response) => {
    if (isStopping) endConnection(response);
    inProgress.add(response);
    response.on('close', () => inProgress.delete(response));
  });
  return async ({ idleMs, requestsMs }) => {
    await untilNobodyConnects(server);
    const closed = once(server, 'close');
    // `server.close` would close idle connections immediately.
    PortServer.prototype.close.call(server);
    isStopping = true;
    for (const response of inProgress) if (!response.headersSent) endConnection(response);
    const idle = setInterval(() => server.closeIdleConnections(), Math.max(idleMs, 50));
    const cut = setTimeout(() => server.closeAllConnections(), requestsMs);
    await closed;
    clearInterval(idle);
    clearTimeout(cut);
  };
}

function endConnection(response: ServerResponse): void {
  response.setHeader('Connection', 'close');
}

/**
 * Resolves when no connection waits to be accepted: closing the port would reset it, together with its request. Each iteration of
 * the event loop accepts one connection, so an iteration without one has found none waiting. No connection follows after a unix
 * socket is removed. A TCP port is closed right after an iteration so short that hardly any connection can have arrived meanwhile.
 */
async function untilNobodyConnects(server: Server): Promise<void> {
  const address = server.address();
  const isSocket = typeof address === 'string';
  if (isSocket) {
    await rm(address, { force: true });
    await sleep(connectMs);
  }
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const searchBegan = performance.now();
  for (;;) {
    const [accepted, turnBegan] = [connections, performance.now()];
    await yieldToEventLoop();
    const now = performance.now();
    const isLate = now - searchBegan > quietSearchMs;
    if (connections === accepted && (isSocket || isLate || now - turnBegan < quietSliceMs)) return;
    if (!isSocket && now - searchBegan > maxSearchMs) return;
  }
}
