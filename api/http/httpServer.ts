import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Context } from '../../shared/platform/context.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { loggerOf } from './requestLog.js';

/** Connections that are idle for this long are closed. nginx in front has the same limit. */
const silenceMs = 300_000;
/** An unread body is discarded for this long, so that the caller can read the response. */
const discardMs = 5_000;

/**
 * The HTTP server of an app. Headers must arrive within 30 s of the connection. Bodies have their own limits in `bodyReader` and
 * `receiveUpload`, because uploads may take hours. Idle connections stay open longer than the usual 60 s of proxies, so that no
 * proxy writes to a closed connection. An error of a response or of the listening port (no more file descriptors) is logged and
 * affects nothing else.
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
  // Before `listening`, the caller of `listen` reports errors.
  server.once('listening', () => server.on('error', (err) => log.error({ err }, 'connection not accepted')));
  server.setTimeout(silenceMs);
  // `Expect: 100-continue`: the response 100 is sent when the body is read, which is after authentication.
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
 * Ends an unread body: a rejected upload may have gigabytes, and the body of a GET request may never arrive. The body is read
 * and discarded for five seconds; then the connection is closed.
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
