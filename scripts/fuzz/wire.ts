import { request, type Agent, type IncomingMessage } from 'node:http';
import type { WireRequest } from './assemble.js';

export interface WireResponse {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

/** Pages and films are not read to their end, streams of events have none. */
const readBytes = 1_000_000;
const patienceMs = 20_000;

/**
 * Sends a request as it is written, and resolves with the answer; with null where the connection ends without one.
 * Throws where no answer comes in time.
 */
export function sendOver(agent: Agent, origin: string, wire: WireRequest): Promise<WireResponse | null> {
  const { hostname, port } = new URL(origin);
  const { body, method, path } = wire;
  const named = wire.headers.some(([name]) => name.toLowerCase() === 'transfer-encoding');
  const hosted = wire.headers.some(([name]) => name.toLowerCase() === 'host');
  const headers = [
    ...(hosted ? [] : ['Host', `${hostname}:${port}`]),
    ...wire.headers.flatMap(([name, value]) => [name, value]),
    ...(body === null || named ? [] : ['Content-Length', String(body.length)]),
  ];
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path, headers, timeout: patienceMs }, (response) => {
      read(response).then(resolve, () => resolve(null));
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer in ${patienceMs} ms`)));
    sent.on('error', (error) => (error.message.startsWith('no answer') ? reject(error) : resolve(null)));
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

/** The same request for a shell. */
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
