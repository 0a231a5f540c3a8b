import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Context } from '../../shared/platform/context.js';
import { isOperator } from '../../shared/platform/security/operatorCredentials.js';

/**
 * Serves the metrics of a worker process at `/metrics` of METRICS_PORT, to operators. Resolves with the function that
 * closes the port. Opens nothing where no port is set.
 */
export async function openMetricsPort({ config, metrics }: Context): Promise<() => Promise<void>> {
  const port = config.worker.metricsPort;
  if (port === null) return async () => {};
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end();
    if (!isOperator(config, request.headers.authorization)) {
      return response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="operators", charset="UTF-8"' }).end();
    }
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
    return response;
  });
  server.listen(port, config.http.host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`METRICS_PORT ${port} cannot be opened: ${error.code ?? error.message}`);
  });
  return async () => {
    server.closeAllConnections();
    server.close();
  };
}
