import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Express } from 'express';

/**
 * The HTTP server of an app. Headers must arrive within 30 s; bodies may take hours (uploads, whose inactivity
 * `receiveUpload` limits). Idle connections stay open longer than the usual 60 s of proxies, so that no proxy writes into
 * a connection that was just closed.
 */
export function createHttpServer(app: Express): Server {
  const server = createServer(
    { headersTimeout: 30_000, requestTimeout: 0, keepAliveTimeout: 75_000, connectionsCheckingInterval: 10_000 },
    app,
  );
  // `Expect: 100-continue`: the caller gets 100 when its body is read, so after it was authenticated.
  server.on('checkContinue', (request, response) => {
    request.once('resume', () => {
      if (!response.headersSent && !response.destroyed) response.writeContinue();
    });
    app(request, response);
  });
  return server;
}

/**
 * Accepts no more connections and waits for the running requests, for `drainMs` at most; then closes the remaining
 * connections. Resolves when every connection is closed.
 */
export async function stopServer(server: Server, drainMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // Closes kept-alive connections as soon as they are idle; `close` itself does so only once.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
