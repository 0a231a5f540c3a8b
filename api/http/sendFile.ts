import type { Stats } from 'node:fs';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import send from 'send';
import { attachment } from '../../shared/platform/formats/contentDisposition.js';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError, RangeNotSatisfiableError } from '../../shared/platform/errors.js';
import type { ByteRange, StoredFile } from '../../shared/platform/storage/storage.js';

interface FileRequest {
  readonly ctx: Context;
  readonly response: ServerResponse;
}

export interface SentFile {
  readonly contentType: string;
  readonly cacheControl: string;
  /** If set, browsers save the file with this name instead of showing it. */
  readonly fileName?: string;
  /** Called once with the number of bytes sent, which is smaller than the file if the caller has disconnected. */
  readonly onSent?: (bytes: number) => void;
}

/** The responses of `sendStoredFile`, for `otherResponses`. It also throws the errors for 404 and 416. */
export function fileResponses(...types: readonly string[]): Readonly<Record<number, readonly string[]>> {
  return { 200: types, 206: types, 304: [], 412: [] };
}

/** More than Node's 64 KiB, for fewer disk reads of segments of one or two megabytes. */
const readBytes = 512 * 1024;

/** Bytes that differ from the stored file: their description, and a function that reads a range of them. */
export interface SentBytes {
  readonly description: StoredFile;
  readonly read: (range: ByteRange) => Promise<Readable>;
}

/**
 * Sends a stored file in response to GET or HEAD, in constant memory: ETag, Last-Modified, conditional requests, If-Range,
 * one byte range (for several ranges the complete file, as RFC 9110 permits). Resolves when the response has been sent or the
 * caller has disconnected. Throws NotFoundError and RangeNotSatisfiableError before anything has been sent.
 */
export async function sendStoredFile(request: FileRequest, key: string, file: SentFile): Promise<void> {
  const stored = await request.ctx.storage.stat(key);
  if (stored === null) throw new NotFoundError({ detail: `no stored file ${key}` });
  await sendDescribed(request, stored, file, null);
}

/** Like `sendStoredFile`, for bytes that differ from the stored file. */
export function sendBytes(request: FileRequest, { description, read }: SentBytes, file: SentFile): Promise<void> {
  return sendDescribed(request, description, file, read);
}

async function sendDescribed(
  { ctx, response }: FileRequest,
  stored: StoredFile,
  file: SentFile,
  read: SentBytes['read'] | null,
): Promise<void> {
  setHeaders(response, stored, file);
  const startBytes = response.socket?.bytesWritten ?? 0;
  if (file.onSent) response.once('close', () => file.onSent?.(bytesSent(response, startBytes)));
  const path = read ? null : ctx.storage.localPath(stored.key);
  const readStored = (range: ByteRange) => ctx.storage.read(stored.key, stored.bytes === 0 ? undefined : range);
  await transfer(response, stored, path ?? read ?? readStored);
}

function setHeaders(response: ServerResponse, stored: StoredFile, file: SentFile): void {
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Cache-Control', file.cacheControl);
  response.setHeader('ETag', stored.etag);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (file.fileName !== undefined) response.setHeader('Content-Disposition', attachment(file.fileName));
}

/** `send` decides status and range. `source` is the path of a local file, or a function that reads a range. */
async function transfer(
  response: ServerResponse,
  stored: StoredFile,
  source: string | SentBytes['read'],
): Promise<void> {
  sendWholeForLongSuffix(response, stored);
  const sender = send(response.req, stored.key, {
    cacheControl: false,
    highWaterMark: readBytes,
  } as send.SendOptions) as Sender;
  sender.res = response;
  const failed = new Promise<never>((_resolve, reject) => {
    sender.on('error', (error: Error & { status?: number }) => reject(error));
    if (typeof source !== 'string') sender.stream = (_path, range) => void pipe(source, range, response).catch(reject);
  });
  const closed = response.destroyed ? Promise.resolve() : once(response, 'close');
  sender.send(typeof source === 'string' ? source : stored.key, {
    size: stored.bytes,
    mtime: stored.modifiedAt,
  } as Stats);
  try {
    await Promise.race([failed, closed]);
  } catch (error) {
    respondToSendError(error as Error & { status?: number }, response, stored);
  }
}

/** A suffix range longer than the file selects the complete file (RFC 9110, 14.1.2); `send` would respond with 416. */
function sendWholeForLongSuffix({ req: { headers } }: ServerResponse, { bytes }: StoredFile): void {
  const [, suffix] = /^ *bytes=\s*-(\d+)\s*$/.exec(headers.range ?? '') ?? [];
  if (bytes > 0 && Number(suffix) > bytes) headers.range = 'bytes=0-';
}

/** Members of `send` that its types do not declare. */
interface Sender extends send.SendStream {
  res: ServerResponse;
  stream(path: string, range: ByteRange): void;
}

async function pipe(read: SentBytes['read'], { start, end }: ByteRange, response: ServerResponse): Promise<void> {
  const body = await read({ start, end });
  if (response.destroyed) return void body.destroy();
  response.once('close', () => body.destroy());
  body.once('error', (error) => response.destroy(error));
  body.pipe(response);
}

function respondToSendError(error: Error & { status?: number }, response: ServerResponse, stored: StoredFile): void {
  if (response.headersSent) return void response.destroy();
  response.statusCode = 200;
  if (error.status === 412) return void response.writeHead(412, { 'Content-Length': 0 }).end();
  if (error.status === 416) throw new RangeNotSatisfiableError(stored.bytes);
  if (error.status === 404) throw new NotFoundError({ detail: `no stored file ${stored.key}`, cause: error });
  throw error;
}

/** The declared length of a complete response, or the bytes that the socket has accepted of an interrupted one. */
function bytesSent(response: ServerResponse, startBytes: number): number {
  if (response.req.method === 'HEAD' || response.statusCode === 304) return 0;
  const declared = Number(response.getHeader('Content-Length') ?? 0);
  if (response.writableFinished) return declared;
  return Math.max(0, Math.min(declared, (response.req.socket.bytesWritten ?? 0) - startBytes));
}
