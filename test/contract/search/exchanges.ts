import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { dirname } from 'node:path';

/** One request to a Meilisearch server with its response. */
interface Exchange {
  readonly request: string;
  /** The body, or its digest if it is long. */
  readonly body?: unknown;
  readonly status: number;
  readonly answer: unknown;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly authorized: boolean;
}

/** A server that replays a recording, or records as a proxy of a real server. `close` throws the first error. */
export interface ExchangeServer {
  readonly url: string;
  close(): Promise<void>;
}

const longBody = 2_000;

/** Replays a recording: equal requests get their responses in recorded order; the last one is repeated. */
export async function replay(file: string): Promise<ExchangeServer> {
  const exchanges = JSON.parse(await readFile(file, 'utf8')) as Exchange[];
  const waiting = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const key = keyOf(exchange.request, exchange.body);
    waiting.set(key, [...(waiting.get(key) ?? []), exchange]);
  }
  return serve(async (call) => {
    const request = `${call.method} ${call.path}`;
    const list = waiting.get(keyOf(request, bodyOf(call.body))) ?? [];
    const exchange = list.length > 1 ? list.shift() : list[0];
    if (!exchange) throw new Error(`not recorded: ${request} ${JSON.stringify(call.body)?.slice(0, 500)}`);
    return { status: exchange.status, answer: exchange.answer };
  });
}

/**
 * Forwards all requests to a real server and writes the recording on `close`. Recordings are reproducible: task numbers start at 0,
 * times are replaced, and only the last poll of a task is kept.
 */
export async function record(file: string, target: string, apiKey: string): Promise<ExchangeServer> {
  const exchanges: Exchange[] = [];
  const taskNumbers: number[] = [];
  const server = await serve(async (call) => {
    const path = call.path.replace(/^\/tasks\/(\d+)$/, (_, number: string) => `/tasks/${taskNumbers[Number(number)]}`);
    const response = await fetch(new URL(path, target), {
      method: call.method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    const answer = normalized(await response.json(), taskNumbers) as { status?: string };
    const isPoll = /^\/tasks\/\d+$/.test(call.path) && (answer.status === 'enqueued' || answer.status === 'processing');
    const body = bodyOf(call.body);
    if (!isPoll)
      exchanges.push({
        request: `${call.method} ${call.path}`,
        ...(body === undefined ? {} : { body }),
        status: response.status,
        answer,
      });
    return { status: response.status, answer };
  });
  return {
    url: server.url,
    async close() {
      await server.close();
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, `[\n${exchanges.map((exchange) => JSON.stringify(exchange)).join(',\n')}\n]\n`);
    },
  };
}

async function serve(answer: (call: Call) => Promise<{ status: number; answer: unknown }>): Promise<ExchangeServer> {
  const faults: unknown[] = [];
  const server = createServer((request, response) => {
    const reply = async () => {
      const call = await readCall(request);
      if (!call.authorized) throw new Error(`${call.method} ${call.path} has no key`);
      return answer(call);
    };
    reply().then(
      ({ status, answer: body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: unknown) => {
        faults.push(error);
        response
          .writeHead(500, { 'content-type': 'application/json' })
          .end(JSON.stringify({ message: String(error), code: 'internal' }));
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      if (faults.length > 0) throw faults[0];
    },
  };
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    body: text === '' ? undefined : JSON.parse(text),
    authorized: /^Bearer .+/.test(request.headers.authorization ?? ''),
  };
}

function keyOf(request: string, body: unknown): string {
  return `${request} ${JSON.stringify(body) ?? ''}`;
}

function bodyOf(body: unknown): unknown {
  const text = JSON.stringify(sorted(body));
  if (text === undefined || text.length <= longBody) return sorted(body);
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** The value with the members of every object in alphabetical order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

const changing = new Set([
  'commitSha',
  'commitDate',
  'batchUid',
  'requestUid',
  'duration',
  'processingTimeMs',
  '_federation',
]);

/** Removes values that differ between runs. */
function normalized(value: unknown, taskNumbers: number[]): unknown {
  if (Array.isArray(value)) return value.map((member) => normalized(member, taskNumbers));
  if (typeof value === 'string') return value.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, '2026-01-01T00:00:00Z');
  if (typeof value !== 'object' || value === null) return value;
  const isTask = 'taskUid' in value || ('uid' in value && 'enqueuedAt' in value);
  const members = Object.entries(value).filter(([name]) => !changing.has(name));
  return Object.fromEntries(
    members.map(([name, member]) => {
      if (!isTask || typeof member !== 'number' || (name !== 'taskUid' && name !== 'uid'))
        return [name, normalized(member, taskNumbers)];
      if (!taskNumbers.includes(member)) taskNumbers.push(member);
      return [name, taskNumbers.indexOf(member)];
    }),
  );
}
