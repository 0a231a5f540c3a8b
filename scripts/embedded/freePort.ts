import { createServer } from 'node:net';

/** Listens on the port for a moment. `fault` is the error code if that fails, else null. Port 0 finds a free port. */
export function tryPort(port: number, host: string): Promise<{ port: number; fault: string | null }> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve({ port, fault: error.code ?? error.message }));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address() as { port: number };
      server.close(() => resolve({ port: address.port, fault: null }));
    });
  });
}

/** The given loopback port if it is free, else another free one. */
export async function freePort(wanted = 0): Promise<number> {
  const { port, fault } = await tryPort(wanted, '127.0.0.1');
  return fault === null ? port : freePort();
}
