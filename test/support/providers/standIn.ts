import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a stand-in for a provider sees it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What is answered; `cut` ends the connection in place of an answer, `hang` never answers. */
export type Reply =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'cut'
  | 'hang';

/** A stand-in for a provider, on a port of its own. */
export interface StandIn {
  readonly url: string;
  /** Everything asked so far, in order. */
  readonly asked: Asked[];
  /** While set, every request gets this, and nothing happens. */
  outage: Reply | null;
  close(): Promise<void>;
}

export async function startStandIn(answer: (asked: Asked) => Reply): Promise<StandIn> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void readRequest(request).then((one) => {
      asked.push(one);
      send(request, response, standIn.outage ?? answer(one));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const standIn: StandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    outage: null,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return standIn;
}

async function readRequest(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
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
