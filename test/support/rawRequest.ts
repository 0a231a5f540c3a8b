import { request } from 'node:http';
import type { TestApi } from './api.js';

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
