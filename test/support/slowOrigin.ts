import type { IncomingMessage, ServerResponse } from 'node:http';
import { startLoopbackServer } from './loopbackServer.js';

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

/** Serves a megabyte of a file every 200 ms, at most `heldAt` bytes until `release`, and records the start of each request. */
export async function openSlowOrigin(file: Buffer, { heldAt = file.length }: { heldAt?: number } = {}) {
  const starts: number[] = [];
  let end = heldAt;
  const pace = { bytes: 1024 ** 2, everyMs: 200, end: () => end };
  const server = await startLoopbackServer((...exchange) => void starts.push(sendPaced(...exchange, file, pace)));
  return {
    url: `${server.url}/film.mp4`,
    starts,
    release() {
      end = file.length;
    },
    close: () => server.close(),
  };
}
