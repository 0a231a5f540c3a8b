import { request, type Agent, type IncomingMessage } from 'node:http';
import { fromAnyAddress } from './fuzzSettings.js';
import type { WireRequest } from './wireRequest.js';

export interface WireResponse {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

/** The maximum number of bytes that are read of a body: pages and videos are long, event streams are endless. */
const readBytes = 1_000_000;
const responseTimeoutMs = 20_000;

/**
 * Sends a request unchanged and resolves with the response, or with null if the connection ends without one.
 * Rejects if there is no response within 20 s.
 */
export function sendOver(agent: Agent, origin: string, wire: WireRequest): Promise<WireResponse | null> {
  const { hostname, port } = new URL(origin);
  const { body, method, path } = wire;
  const named = wire.headers.some(([name]) => name.toLowerCase() === 'transfer-encoding');
  const hosted = wire.headers.some(([name]) => name.toLowerCase() === 'host');
  const headers = [
    ...(hosted ? [] : ['Host', `${hostname}:${port}`]),
    ...fromAnyAddress(),
    ...wire.headers.flatMap(([name, value]) => [name, value]),
    ...(body === null || named ? [] : ['Content-Length', String(body.length)]),
  ];
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path, headers, timeout: responseTimeoutMs }, (response) => {
      read(response).then(resolve, () => resolve(null));
    });
    sent.on('timeout', () => sent.destroy(new Error(`no response in ${responseTimeoutMs} ms`)));
    sent.on('error', (error) => (error.message.startsWith('no response') ? reject(error) : resolve(null)));
    sent.end(body ?? undefined);
  });
}

async function read(response: IncomingMessage): Promise<WireResponse> {
  const { statusCode: status = 0 } = response;
  const type = response.headers['content-type'] ?? null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (type?.startsWith('text/event-stream')) response.destroy();
  else
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > readBytes) break;
    }
  return { status, type, text: Buffer.concat(chunks).toString() };
}

/** The same request as a curl command. */
export function curlOf(origin: string, { method, path, headers, body }: WireRequest): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const isText = body !== null && body.length < 4_000 && Buffer.from(body.toString()).equals(body) && !body.includes(0);
  const data =
    body === null
      ? []
      : isText
        ? ['--data-raw', quoted(body.toString())]
        : [`--data-binary @<(echo ${body.subarray(0, 4_000).toString('base64')} | base64 -d)`];
  const named = headers.flatMap(([name, value]) => ['-H', quoted(value === '' ? `${name};` : `${name}: ${value}`)]);
  return ['curl', '-i', '--path-as-is', '-X', method, ...named, ...data, quoted(origin + path)].join(' ');
}
