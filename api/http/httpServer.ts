import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Context } from '../../shared/platform/context.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { loggerOf } from './requestLog.js';

/** Nothing was sent or received on a connection for this long: it is closed. nginx in front waits as long. */
const silenceMs = 300_000;
/** The rest of a body that nobody reads is discarded for this long, so that the caller can read the response. */
const discardMs = 5_000;

/**
 * The HTTP server of an app. Headers must arrive within 30 s, also on a connection that has sent nothing. Bodies have
 * limits of their own, since uploads may take hours: `bodyReader` and `receiveUpload`. Idle connections stay open longer
 * than the usual 60 s of proxies, so that no proxy writes into a connection that was just closed. An error of a response or of the
 * accepting port (no more file descriptors) is logged and ends nothing else.
 */
export function createHttpServer({ log }: Pick<Context, 'log'>, app: RequestListener): Server {
  const server = withErrorListener(
    createServer(
      { headersTimeout: 30_000, requestTimeout: 0, keepAliveTimeout: 75_000, connectionsCheckingInterval: 10_000 },
      (request, response) => {
        if (hasBody(request)) response.once('finish', () => endUnreadBody(request));
        response.on('error', (err) => loggerOf(log, request).error({ err }, 'response failed'));
        app(request, response);
      },
    ),
  );
  // Whoever opens the port reports its errors until then.
  server.once('listening', () => server.on('error', (err) => log.error({ err }, 'accepting a connection failed')));
  server.setTimeout(silenceMs);
  // `Expect: 100-continue`: the caller gets 100 when its body is read, so after it was authenticated.
  server.on('checkContinue', (request, response) => {
    request.once('resume', () => {
      if (!response.headersSent && !response.destroyed) response.writeContinue();
    });
    server.emit('request', request, response);
  });
  return server;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Ends a body that is not read: that of a rejected upload may be gigabytes, and that of a GET request may never arrive.
 * It is read and discarded for five seconds; then the connection is closed.
 */
function endUnreadBody(request: IncomingMessage): void {
  if (request.complete) return;
  request.unpipe();
  request.resume();
  const cut = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, discardMs);
  cut.unref();
  request.once('close', () => clearTimeout(cut));
}
