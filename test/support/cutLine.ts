import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy of a server that breaks connections on request. */
export interface CutLine {
  readonly url: string;
  /** Connections cut so far. */
  readonly cuts: number;
  /** The next connection is cut when so many further bytes have been sent to the server. */
  cutAfter(bytes: number): void;
  close(): Promise<void>;
}

/** Opens a proxy of the server at a URL. */
export async function openCutLine(address: string): Promise<CutLine> {
  const { port, hostname, pathname } = new URL(address);
  const sockets = new Set<Socket>();
  let left = Infinity;
  let cuts = 0;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
    far.pipe(near);
    near.pipe(far);
    near.on('data', (data: Buffer) => {
      left -= data.length;
      if (left > 0) return;
      left = Infinity;
      cuts += 1;
      near.resetAndDestroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname === '/' ? '' : pathname}`,
    get cuts() {
      return cuts;
    },
    cutAfter: (bytes) => void (left = bytes),
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
