import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves a file in ranges, a megabyte every 200 ms; notes where each request has begun. Until `release`, it sends no more than `heldAt` bytes. */
export async function openSlowOrigin(file: Buffer, { heldAt = file.length }: { heldAt?: number } = {}) {
  const starts: number[] = [];
  let end = heldAt;
  const server = createServer((request, response) => {
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    starts.push(start);
    response.writeHead(start > 0 ? 206 : 200, {
      ETag: '"one"',
      'Content-Length': file.length - start,
      ...(start > 0 ? { 'Content-Range': `bytes ${start}-${file.length - 1}/${file.length}` } : {}),
    });
    let sent = start;
    const timer = setInterval(() => {
      const part = file.subarray(sent, Math.min(end, sent + 1024 ** 2));
      sent += part.length;
      if (part.length > 0) response.write(part);
      if (sent < file.length) return;
      clearInterval(timer);
      response.end();
    }, 200);
    response.once('close', () => clearInterval(timer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/film.mp4`,
    starts,
    release() {
      end = file.length;
    },
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
