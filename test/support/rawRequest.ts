import { request } from 'node:http';
import type { TestApi } from './api.js';
import { once } from 'node:events';
import { connect } from 'node:net';

/** A request that no client library normalizes: path and headers are sent unchanged (name, value, name, value). */
export function rawRequest(
  api: TestApi,
  options: {
    readonly method: string;
    readonly path: string;
    readonly headers?: readonly string[];
    readonly body?: string | Buffer;
  },
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }> {
  const { hostname, port } = new URL(api.url);
  const bytes = Buffer.from(options.body ?? '');
  const headers = options.headers ?? [];
  const framed = headers.some((header) => /^(transfer-encoding|content-length)$/i.test(header))
    ? headers
    : [...headers, 'content-length', String(bytes.length)];
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        method: options.method,
        path: options.path,
        headers: ['host', hostname, ...framed],
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(bytes);
  });
}

/** A connection that has sent an incomplete request and waits. */
export interface HeldConnection {
  /** Everything received so far. */
  received(): string;
  send(bytes: string | Buffer): void;
  /** Resolves when the service has closed the connection, with the status that it sent before, or 0. */
  closed(): Promise<number>;
  destroy(): void;
}

/** Opens a connection and sends these lines of a request's head, an empty line, and the start of a body. */
export async function holdConnection(
  api: TestApi,
  head: readonly string[],
  body: string | Buffer = '',
): Promise<HeldConnection> {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => (text += part));
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`${[...head, `Host: ${hostname}`].join('\r\n')}\r\n\r\n`);
  if (body.length > 0) socket.write(body);
  return {
    received: () => text,
    send: (bytes) => void socket.write(bytes),
    async closed() {
      if (!socket.closed) await once(socket, 'close');
      return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
    },
    destroy: () => void socket.destroy(),
  };
}
