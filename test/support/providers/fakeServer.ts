import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request received by a fake server. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A response; `cut` closes the connection instead, `hang` never responds. */
export type Reply =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'cut'
  | 'hang';

/** A fake provider on a separate port. */
export interface FakeServer {
  readonly url: string;
  /** All requests so far, in order. */
  readonly requests: RecordedRequest[];
  /** If set, every request gets this response and has no effect. */
  outage: Reply | null;
  close(): Promise<void>;
}

export async function startFakeServer(respond: (request: RecordedRequest) => Reply): Promise<FakeServer> {
  const requests: RecordedRequest[] = [];
  const server = createServer((incoming, response) => {
    void readRequest(incoming).then((request) => {
      requests.push(request);
      send(incoming, response, fake.outage ?? respond(request));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    outage: null,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return fake;
}

async function readRequest(request: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
  const { method = 'GET', headers } = request;
  return { method, path: pathname, query: searchParams, headers, body: Buffer.concat(chunks).toString() };
}

function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return;
  if (reply === 'cut') return void request.socket.destroy();
  const { status, body, headers = {} } = reply;
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers });
  response.end(body === undefined ? undefined : isText ? body : JSON.stringify(body));
}
