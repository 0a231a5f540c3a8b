import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Server, ServerResponse } from 'node:http';
import { Server as PortServer } from 'node:net';
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';

export interface StopTimes {
  /** Connections without a request stay open for this long after the port is closed. */
  readonly idleMs: number;
  /** Then, this long after the port was closed, what is still open is cut. */
  readonly requestsMs: number;
}

/** A turn of the event loop that took less time has brought nothing. */
const quietSliceMs = 0.2;
/** Under heavy load there may be no quiet turn. */
const quietSearchMs = 200;
/** At a port where somebody connects all the time there may be no turn without a connection either. */
const maxSearchMs = 2_000;
/** Whoever has found the socket before it was removed has connected within this time. */
const connectMs = 50;

/**
 * Prepares the end of a server; call it before the server listens. The returned function closes its port, and resolves
 * when every connection is closed. A proxy in front loses no request:
 * - The port is closed while nobody waits for a connection.
 * - From then on each response says `Connection: close`, so a proxy sends no further request on that connection.
 * - Idle connections stay open for a while: a proxy may be about to send on one of them.
 * - Requests in progress, such as uploads, go on.
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
    // `server.close` would close the idle connections at once.
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
 * Resolves when no connection waits to be accepted: closing the port resets those, together with a request that was sent on
 * them. Each turn of the event loop accepts one, so a turn without one has found none. Nobody finds a removed socket: there
 * none follows. A TCP port is best closed right after a turn that was so short that none can have come meanwhile.
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
