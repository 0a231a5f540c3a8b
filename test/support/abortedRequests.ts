import { connect } from 'node:net';
import { once } from 'node:events';

const soonMs = 50;

/** A request as it is sent, and how many bytes of its response a client reads before it leaves; null: it leaves while it sends. */
export interface AbortedRequest {
  readonly bytes: Buffer;
  readonly readBytes: number | null;
}

/** Numbers from 0 to 1 that repeat with their seed. */
export function seededNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Head and body of a request. */
export function requestBytes(
  line: string,
  headers: Readonly<Record<string, string | number>>,
  body: Uint8Array = new Uint8Array(),
): Buffer {
  const lines = Object.entries({ Host: 'test', Connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}

/**
 * Sends a request up to a random byte and leaves, or sends all of it and leaves when so much of the response has arrived; for 0 bytes,
 * within the next moment. The connection is closed, reset, or closed in one direction first.
 */
export async function abortRequest(
  port: number,
  { bytes, readBytes }: AbortedRequest,
  random: () => number,
): Promise<void> {
  const cut = Math.floor(random() * bytes.length);
  const leaving = Math.floor(random() * 3);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: leaving === 2 });
  socket.on('error', () => {});
  const closed = once(socket, 'close').catch(() => {});
  await once(socket, 'connect');
  let received = 0;
  const leave = (): void => {
    if (leaving === 0) socket.resetAndDestroy();
    else if (leaving === 1) socket.destroy();
    else socket.end(() => socket.destroy());
  };
  socket.once('end', () => socket.destroy());
  socket.on('data', (data: Buffer) => {
    received += data.length;
    if (readBytes !== null && received > readBytes) leave();
  });
  socket.write(bytes.subarray(0, cut), () => {
    if (readBytes === null) return leave();
    socket.write(bytes.subarray(cut), () => void (readBytes === 0 && setTimeout(leave, random() * soonMs)));
  });
  await closed;
}
