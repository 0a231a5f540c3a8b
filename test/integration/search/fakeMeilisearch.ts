import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';

type Document = Record<string, unknown>;

/** A fake Meilisearch server with the operations for writing and searching. It can be stopped and started. */
export interface FakeMeilisearch {
  readonly url: string;
  /** Number of searches since the start. */
  readonly searches: number;
  close(): Promise<void>;
  start(): Promise<void>;
}

/** Used for outages, which recordings cannot contain. Contract tests cover the real server. */
export async function startFakeMeilisearch(): Promise<FakeMeilisearch> {
  const indexes = new Map<string, Map<string, Document>>();
  let server: Server | undefined;
  let port = 0;
  let searches = 0;

  const done = { status: 202, body: { taskUid: 1, status: 'enqueued', type: 'any', enqueuedAt: '' } };
  const documentsOf = (uid: string): Map<string, Document> => {
    const documents = indexes.get(uid) ?? new Map<string, Document>();
    indexes.set(uid, documents);
    return documents;
  };

  function search(body: { queries: { indexUid: string; q?: string }[] }): object {
    searches += 1;
    const [query] = body.queries;
    const word = (query?.q ?? '').trim();
    const found = [...documentsOf(query?.indexUid ?? '').values()].filter((document) =>
      JSON.stringify(document).includes(word),
    );
    return { hits: found.map(({ id }) => ({ id })), totalHits: found.length };
  }

  function respond(method: string, path: string, body: unknown): { status: number; body: unknown } {
    const uid = /^\/indexes\/([^/]+)/.exec(path)?.[1] ?? '';
    if (path === '/version') return { status: 200, body: { pkgVersion: '1.50.0' } };
    if (path.startsWith('/tasks/')) return { status: 200, body: { uid: 1, status: 'succeeded', type: 'any' } };
    if (path === '/multi-search') return { status: 200, body: search(body as never) };
    if (path.endsWith('/delete-batch')) for (const id of body as string[]) documentsOf(uid).delete(id);
    else if (path.includes('/documents'))
      for (const document of body as Document[]) documentsOf(uid).set(String(document['id']), document);
    else if (method === 'GET')
      return indexes.has(uid) ? { status: 200, body: { uid } } : { status: 404, body: { code: 'index_not_found' } };
    else if (path === '/indexes') documentsOf((body as { uid: string }).uid);
    return done;
  }

  async function listen(): Promise<void> {
    server = createServer((request, response) => {
      void readBody(request).then((body) => {
        const reply = respond(request.method ?? '', request.url ?? '', body);
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
      });
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as { port: number }).port;
  }

  await listen();
  return {
    url: `http://127.0.0.1:${port}`,
    get searches() {
      return searches;
    },
    async close() {
      if (!server?.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    start: listen,
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : JSON.parse(text);
}
