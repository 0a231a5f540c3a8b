import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { withErrorListener } from '../../shared/platform/errorListener.js';

/** Listens on the port for a moment. Resolves with the error code if that fails, otherwise with null. */
export function tryPort(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = withErrorListener(createServer());
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/**
 * A port that is free. It is outside the ephemeral ranges of Linux and macOS: an outgoing connection could take an ephemeral port
 * before its server listens, or while the server restarts. If no port is free, the server reports the error.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const port = randomInt(20_000, 32_768);
  return (await tryPort(port, host)) === 'EADDRINUSE' ? freePort(host) : port;
}
