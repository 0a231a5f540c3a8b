import { createServer } from 'node:net';

/** Listens and stops again: tells whether that can be done (null), or the error code why not. */
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

/** The wanted loopback port if nobody has it, else one that nobody has. */
export async function freePort(wanted = 0): Promise<number> {
  const { port, fault } = await tryPort(wanted, '127.0.0.1');
  return fault === null ? port : freePort();
}
