import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { ProviderOrder } from '../../../../shared/payment/providers/provider.js';
import { startLoopbackServer, type LoopbackServer } from '../../../support/loopbackServer.js';

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
export interface FakeServer extends LoopbackServer {
  /** All requests so far, in order. */
  readonly requests: RecordedRequest[];
  /** If set, every request gets this response and has no effect. */
  outage: Reply | null;
}

export async function startFakeServer(respond: (request: RecordedRequest) => Reply): Promise<FakeServer> {
  const requests: RecordedRequest[] = [];
  const server = await startLoopbackServer((incoming, response) => {
    void readRequest(incoming).then((request) => {
      requests.push(request);
      send(incoming, response, fake.outage ?? respond(request));
    });
  });
  const fake: FakeServer = { ...server, requests, outage: null };
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

/** A valid order; `members` replace its own. */
export function sampleOrder(members: Partial<ProviderOrder> = {}): ProviderOrder {
  return {
    trackingId: randomUUID(),
    amountCents: 1050,
    currency: 'EUR',
    title: 'A video — “première”',
    returnUrl: 'https://shop.example.org/paid?item=1&back=%2Fhome#top',
    cancelUrl: 'https://shop.example.org/cancelled',
    expiresAt: new Date(Date.now() + 3 * 3_600_000),
    ...members,
  };
}
