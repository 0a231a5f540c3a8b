import { once } from 'node:events';
import { createServer, type RequestListener, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, createServer as createNetServer, type AddressInfo, type Socket } from 'node:net';

/** An HTTP server on a free loopback port. */
export interface LoopbackServer {
  readonly url: string;
  /** Closes all connections. */
  readonly drop: () => void;
  readonly close: () => Promise<void>;
}

export async function startLoopbackServer(listener: RequestListener): Promise<LoopbackServer> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    drop: () => server.closeAllConnections(),
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

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
  const server = createNetServer((near) => {
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

interface Pace {
  readonly bytes: number;
  readonly everyMs: number;
  /** The end of the bytes to send for now. */
  readonly end?: () => number;
}

/** Serves a file in ranges, some bytes at a time. Returns the start position of the response. */
export function sendPaced(
  request: IncomingMessage,
  response: ServerResponse,
  file: Buffer,
  { bytes, everyMs, end = () => file.length }: Pace,
): number {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  response.writeHead(start > 0 ? 206 : 200, {
    ETag: '"one"',
    'Accept-Ranges': 'bytes',
    'Content-Length': file.length - start,
    ...(start > 0 ? { 'Content-Range': `bytes ${start}-${file.length - 1}/${file.length}` } : {}),
  });
  let sent = start;
  const timer = setInterval(() => {
    const part = file.subarray(sent, Math.min(end(), sent + bytes));
    sent += part.length;
    if (part.length > 0) response.write(part);
    if (sent < file.length) return;
    clearInterval(timer);
    response.end();
  }, everyMs);
  response.once('close', () => clearInterval(timer));
  return start;
}
