import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import type { Context } from '../../../shared/platform/context.js';
import { withErrorListener } from '../../../shared/platform/errorListener.js';
import { isSignedPartsRequest } from '../../../shared/streaming/lowLatency/signedRequest.js';
import { stateWaitMs } from '../../../shared/streaming/lowLatency/fetchParts.js';
import { PartStore } from './partStore.js';

/** Serves the parts of this process's runs to web processes. */
export interface PartServer {
  /** Base address for web processes, as stored in the rows of runs. */
  readonly url: string;
  /** Creates the part store of a run that begins. */
  open(runId: string): PartStore;
  /** Called when a run has ended or is lost: players then get stored segments only. */
  end(runId: string): void;
  close(): Promise<void>;
}

const runPath = /^\/runs\/([0-9a-f-]{36})\?after=(-?\d{1,15})$/;
const partPath = /^\/runs\/([0-9a-f-]{36})\/(\d{1,9})\/(\d{1,3})\/(\d{1,4}p)$/;
const initialisationPath = /^\/runs\/([0-9a-f-]{36})\/init\/([A-Za-z0-9_-][A-Za-z0-9._-]{0,99})$/;
/** Maximum of waiting requests: each web process has one for each run. */
const maxWaiting = 2_000;
/** A request has no body and few headers. */
const maxHeaderBytes = 4096;
const requestMs = 5_000;
const unspecified = ['0.0.0.0', '::'];

/**
 * Opens the port for parts, which serves only signed requests of web processes. Resolves with null if low latency is off. Rejects
 * with a message for the operator if the port cannot be opened.
 */
export async function startPartServer(ctx: Context): Promise<PartServer | null> {
  const settings = ctx.config.live.parts;
  if (!settings) return null;
  const { host, port } = settings;
  const stores = new Map<string, PartStore>();
  const server = withErrorListener(
    createServer({ maxHeaderSize: maxHeaderBytes, requestTimeout: requestMs }, (request, response) => {
      answer(ctx, stores, request, response).catch((err: unknown) => {
        ctx.log.error({ err }, 'request for live parts failed');
        response.destroy();
      });
    }),
  );
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`LIVE_PARTS_PORT ${port} cannot be opened: ${error.code ?? error.message}`);
  });
  server.on('error', (err) => ctx.log.error({ err }, 'server of live parts failed'));
  const { port: opened } = server.address() as AddressInfo;
  const reached = unspecified.includes(host) ? hostname() : host;
  const url = settings.url ?? `http://${reached.includes(':') ? `[${reached}]` : reached}:${opened}`;
  ctx.log.info({ host, port: opened, url }, 'live parts served');
  return {
    url,
    open(runId) {
      const store = new PartStore({ runId, log: ctx.log });
      stores.set(runId, store);
      return store;
    },
    end(runId) {
      stores.get(runId)?.end();
      stores.delete(runId);
    },
    async close() {
      for (const store of stores.values()) store.end();
      stores.clear();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  ctx: Context,
  stores: ReadonlyMap<string, PartStore>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url = '', headers } = request;
  const isAllowed = isSignedPartsRequest(ctx.config, url, headers.authorization, ctx.clock.now());
  if (!isAllowed) return void response.writeHead(401, { Connection: 'close' }).end();
  if (method !== 'GET') return void response.writeHead(405).end();
  const [, runId = '', after] = runPath.exec(url) ?? [];
  if (after !== undefined) return sendState(stores.get(runId), Number(after), response);
  const media = mediaAt(stores, url);
  if (!media) return void response.writeHead(404).end();
  const bytes = media.reduce((sum, { length }) => sum + length, 0);
  response.writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': bytes });
  for (const block of media) response.write(block);
  response.end();
}

/** Sends the state when it is newer than version `after`, or after `stateWaitMs`. Status 410: the run has ended. */
async function sendState(store: PartStore | undefined, after: number, response: ServerResponse): Promise<void> {
  if (!store || store.isEnded) return void response.writeHead(410).end();
  if (store.state().version === after) {
    if (store.changes.waiting >= maxWaiting) return void response.writeHead(503).end();
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    await store.changes.next(stateWaitMs, closed.signal);
  }
  if (store.isEnded) return void response.writeHead(410).end();
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(store.state()));
}

function mediaAt(stores: ReadonlyMap<string, PartStore>, url: string): readonly Buffer[] | null {
  const [, runId = '', number, part, rendition = ''] = partPath.exec(url) ?? [];
  if (number !== undefined) return stores.get(runId)?.part(Number(number), Number(part), rendition) ?? null;
  const [, ofRun = '', map = ''] = initialisationPath.exec(url) ?? [];
  const initialisation = stores.get(ofRun)?.initialisation(map);
  return initialisation ? [initialisation] : null;
}
