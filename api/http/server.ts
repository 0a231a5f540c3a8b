import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Express } from 'express';

/**
 * The HTTP server of an app. Heads must come soon, bodies may take hours (uploads; `receiveUpload` watches for
 * silence). Connections outlive the 60 s that proxies keep them, so that no proxy writes into one just closed.
 */
export function createHttpServer(app: Express): Server {
  const server = createServer(
    { headersTimeout: 30_000, requestTimeout: 0, keepAliveTimeout: 75_000, connectionsCheckingInterval: 10_000 },
    app,
  );
  // A caller that waits for leave to send gets it when somebody reads the body: after it was let in.
  server.on('checkContinue', (request, response) => {
    request.once('resume', () => {
      if (!response.headersSent && !response.destroyed) response.writeContinue();
    });
    app(request, response);
  });
  return server;
}

/**
 * Takes no more connections and lets the requests under way end, for `drainMs` at most; then cuts what is left.
 * Resolves when every connection is gone.
 */
export async function stopServer(server: Server, drainMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A connection kept alive goes as soon as its answer is out; the server itself looks only once.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
