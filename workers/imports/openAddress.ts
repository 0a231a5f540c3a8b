import type { Readable } from 'node:stream';
import { fileNameOf, type ImportedFile } from '../../shared/upload/import.driver.js';
import { namedFile } from '../../shared/platform/formats/contentDisposition.js';
import { OutgoingRefusedError, type OutgoingGuard } from '../../shared/platform/outgoing/outgoingGuard.js';
import { sendOutgoing, type OutgoingResponse } from '../../shared/platform/outgoing/outgoingRequest.js';
import { retryAfterMs } from '../../shared/platform/outgoing/retryAfter.js';
import { ImportRefusedError, UnreachableServerError } from './importErrors.js';

const redirects = 3;
const responseMs = 30_000;
const silenceMs = 30_000;
/** Statuses after which a later attempt may succeed. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The response for a file at an address, from a byte offset on. */
export interface OpenedAddress extends ImportedFile {
  readonly body: Readable;
  /** Whether the server supports ranges, so that a later request can continue. */
  readonly canContinue: boolean;
}

interface FileRequest {
  readonly userAgent: string;
  readonly start: number;
  readonly validator: string | null;
  readonly signal: AbortSignal;
}

/**
 * Requests a file from byte `start` on. `validator`: from the earlier responses. Throws ImportRefusedError if no later attempt can
 * succeed, and UnreachableServerError.
 */
export async function openAddress(guard: OutgoingGuard, url: string, request: FileRequest): Promise<OpenedAddress> {
  const { start, validator } = request;
  const response = await send(guard, url, request);
  try {
    return describe(response, start, validator);
  } catch (error) {
    response.body.destroy();
    throw error;
  }
}

async function send(
  guard: OutgoingGuard,
  url: string,
  { userAgent, start, validator, signal }: FileRequest,
): Promise<OutgoingResponse> {
  // The first request has a range too, because many servers that support ranges do not send `Accept-Ranges`.
  const range = { Range: `bytes=${start}-`, ...(start > 0 && validator ? { 'If-Range': validator } : {}) };
  try {
    const headers = { Accept: '*/*', 'Accept-Encoding': 'identity', ...range };
    return await sendOutgoing(guard, { url, userAgent, headers, redirects, responseMs, silenceMs, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutgoingRefusedError && error.code !== 'name')
      throw new ImportRefusedError(refusals[error.code], error.message);
    throw new UnreachableServerError((error as Error).message);
  }
}

/** The address itself was checked before: only a redirect can lead to another scheme, or contain credentials. */
const refusals = {
  address: 'content.failure.importAddress',
  redirects: 'content.failure.importRedirect',
  scheme: 'content.failure.importRedirect',
  credentials: 'content.failure.importRedirect',
} as const;

function describe(
  { status, headers, url, body }: OutgoingResponse,
  start: number,
  validator: string | null,
): OpenedAddress {
  if (status === 416 && start === 0) throw new ImportRefusedError('content.failure.empty', 'no bytes');
  // An earlier worker fetched the last byte and was killed.
  if (status === 416 && start > 0 && totalOf(headers, start) === start)
    return { body, totalBytes: start, validator, canContinue: true, fileName: nameIn(headers, url) };
  if (passing.has(status)) throw new UnreachableServerError(`status ${status}`, retryAfterMs(headers));
  if (status !== 200 && status !== 206)
    throw new ImportRefusedError('content.failure.importRefused', `status ${status}`);
  if (/mpegurl|dash\+xml|text\/html/i.test(headers['content-type'] ?? ''))
    throw new ImportRefusedError('content.failure.importNoFile', `type ${headers['content-type']}`);
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ImportRefusedError('content.failure.importCompressed', `coding ${headers['content-encoding']}`);
  const found = headers.etag?.startsWith('"') ? headers.etag : (headers['last-modified'] ?? null);
  // A server sends the complete file if it has changed, or if it does not support ranges.
  if (start > 0 && (status !== 206 || found !== validator || rangeStart(headers['content-range']) !== start))
    throw new ImportRefusedError('content.failure.importChanged', `status ${status}, validator ${found}`);
  if (status === 206 && rangeStart(headers['content-range']) !== start)
    throw new ImportRefusedError('content.failure.importRefused', `part ${headers['content-range']}`);
  const totalBytes = totalOf(headers, start);
  const canContinue = totalBytes !== null && (status === 206 || /\bbytes\b/i.test(headers['accept-ranges'] ?? ''));
  return { body, totalBytes, validator: found, canContinue, fileName: nameIn(headers, url) };
}

function rangeStart(header = ''): number {
  return Number(/^bytes (\d{1,15})-/.exec(header)?.[1] ?? Number.NaN);
}

function totalOf(headers: OutgoingResponse['headers'], start: number): number | null {
  const length = headers['content-length'];
  const ofRange = /\/(\d{1,15})$/.exec(headers['content-range'] ?? '')?.[1];
  if (ofRange !== undefined) return Number(ofRange);
  return length === undefined ? null : start + Number(length);
}

/** The file name of `Content-Disposition`, or the last segment of the address. */
function nameIn(headers: OutgoingResponse['headers'], url: string): string {
  return namedFile(headers['content-disposition'] ?? '') || fileNameOf(url);
}
