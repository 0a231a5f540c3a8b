import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import type { Config } from '../config.js';
import { headerText } from '../formats/headerText.js';
import { OutgoingRefusedError, type OutgoingGuard, type PinnedTarget } from './outgoingGuard.js';

/** A request to a user-supplied address. */
export interface OutgoingRequest {
  readonly url: string;
  /** Value of `userAgentOf`: many servers reject requests without one. */
  readonly userAgent: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Maximum time until the headers of the final response, including lookups and redirects. */
  readonly responseMs: number;
  /** Maximum time between two chunks of the response body. */
  readonly silenceMs: number;
  /** Maximum number of redirects, each to an address that is checked like the first one. Default: none. */
  readonly redirects?: number;
  readonly signal?: AbortSignal;
}

export interface OutgoingResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The URL after the last redirect. */
  readonly url: string;
  /** The caller must read it to the end or destroy it. */
  readonly body: Readable;
}

const maxHeaderBytes = 16 * 1024;
/** Maximum time until TCP and TLS are connected, so that an unreachable server fails sooner than a slow one. */
const connectMs = 10_000;
/** Maximum number of 1xx responses before the final response. */
const maxInformational = 10;

/** `User-Agent` of requests to other services: name and URL of this service, so that its operator can be found. */
export function userAgentOf({ service }: Pick<Config, 'service'>): string {
  return `${service.name} (+${service.publicUrl})`;
}

/**
 * Sends a request to the address that the guard has permitted and resolved. A redirect that is not followed is returned as the
 * response. Throws OutgoingRefusedError, the timeout error, the reason of `signal`, and errors of the connection.
 */
export async function sendOutgoing(guard: OutgoingGuard, request: OutgoingRequest): Promise<OutgoingResponse> {
  const { redirects = 0, signal } = request;
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new Error(`no response within ${request.responseMs} ms`)),
    request.responseMs,
  );
  const waiting = signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal;
  try {
    let { url } = request;
    for (let followed = 0; ; followed += 1) {
      const target = await abortable(guard.pin(url), waiting);
      const response = await sendTo(target, request, waiting);
      const next = redirectOf(response, target.url);
      if (next === null || redirects === 0) return responseOf(response, target.url, request);
      response.destroy();
      if (followed === redirects) throw new OutgoingRefusedError('redirects', `more than ${redirects} redirects`);
      url = next;
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves with the response headers, or rejects: at the abort of `signal` at the latest, whatever the server does. */
function sendTo(
  { url, address }: PinnedTarget,
  { userAgent, method = 'GET', headers, body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const options: RequestOptions = {
    method,
    headers: {
      'user-agent': userAgent,
      ...headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    agent: false,
    lookup: lookupOf(address),
    maxHeaderSize: maxHeaderBytes,
  };
  return new Promise((resolve, reject) => {
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options);
    // A destroyed request does not always emit an error; the promise must settle in any case.
    const end = (error: Error): void => {
      reject(error);
      sent.destroy(error);
    };
    const abort = (): void => end(signal.reason as Error);
    const connecting = setTimeout(() => end(new Error(`no connection within ${connectMs} ms`)), connectMs);
    const settled = (): void => {
      clearTimeout(connecting);
      signal.removeEventListener('abort', abort);
    };
    let informational = 0;
    sent.on('socket', (socket) =>
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting)),
    );
    sent.on('information', () => {
      informational += 1;
      if (informational > maxInformational) end(new Error('too many informational responses'));
    });
    sent.once('upgrade', (_response, socket) => {
      socket.on('error', () => {});
      socket.destroy();
      end(new Error('status 101: another protocol'));
    });
    sent.once('response', (response) => {
      settled();
      // Node emits a 101 without an `Upgrade` header as a regular response, whose body never ends.
      if (response.statusCode === 101) return end(new Error('status 101: another protocol'));
      // A caller that does not read the body must not crash because of its error.
      response.on('error', () => {});
      return resolve(response);
    });
    sent.on('error', reject);
    sent.once('close', () => {
      settled();
      reject(new Error('the connection was closed without a response'));
    });
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    else sent.end(body);
  });
}

/** A `lookup` function that always returns the checked address. */
function lookupOf(address: string): LookupFunction {
  const family = isIP(address);
  return (_name, { all }, done) => {
    if (all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): string | null {
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return null;
  const location = headerText(headers.location);
  return URL.canParse(location, from.href) ? new URL(location, from.href).href : location;
}

function responseOf(response: IncomingMessage, url: URL, { silenceMs, signal }: OutgoingRequest): OutgoingResponse {
  const end = (error: Error): void => void response.destroy(error);
  response.setTimeout(silenceMs, () => end(new Error(`no data received for ${silenceMs} ms`)));
  const abort = (): void => end(signal?.reason as Error);
  signal?.addEventListener('abort', abort, { once: true });
  response.once('close', () => signal?.removeEventListener('abort', abort));
  return { status: response.statusCode ?? 0, headers: response.headers, url: url.href, body: response };
}

/** A lookup cannot be cancelled; its result is ignored after the abort. */
async function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let abort: () => void = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
