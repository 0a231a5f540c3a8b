import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { withErrorListener } from '../../shared/platform/errorListener.js';

/** Listens on the port for a moment. The error code if that fails, else null. */
export function tryPort(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = withErrorListener(createServer());
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/**
 * A port that is free. It is not one of those that Linux and macOS give to outgoing connections: one of them could take it
 * before its server listens, or while the server is started again. A host that has no port at all is an error of that server.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const port = randomInt(20_000, 32_768);
  return (await tryPort(port, host)) === 'EADDRINUSE' ? freePort(host) : port;
}
