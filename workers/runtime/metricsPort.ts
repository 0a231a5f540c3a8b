import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Context } from '../../shared/platform/context.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { TooManyRequestsError } from '../../shared/platform/errors.js';
import { createOperatorGuard } from '../../shared/platform/security/operatorGuard.js';

/**
 * Serves the metrics of a worker process to operators, at `/metrics` of METRICS_PORT. Resolves with the function that closes the
 * port. Does nothing if no port is set.
 */
export async function openMetricsPort(ctx: Context): Promise<() => Promise<void>> {
  const { worker, http } = ctx.config;
  if (worker.metricsPort === null) return async () => {};
  const server = withErrorListener(createServer(metricsListener(ctx)));
  server.listen(worker.metricsPort, http.host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`METRICS_PORT ${worker.metricsPort} cannot be opened: ${error.code ?? error.message}`);
  });
  return async () => {
    server.closeAllConnections();
    server.close();
  };
}

function metricsListener(ctx: Context): RequestListener {
  const { registry } = ctx.metrics;
  const isOperator = createOperatorGuard(ctx);
  return (request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end();
    try {
      if (!isOperator(request.headers.authorization, request.socket.remoteAddress))
        return response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="operators", charset="UTF-8"' }).end();
    } catch (error) {
      if (!(error instanceof TooManyRequestsError)) throw error;
      return response.writeHead(429, { 'Retry-After': error.retryAfterSeconds }).end();
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
    return response;
  };
}
