import type { Stats } from 'node:fs';
import { once } from 'node:events';
import type { Response } from 'express';
import send from 'send';
import { attachment } from '../../shared/platform/formats/contentDisposition.js';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError, RangeNotSatisfiableError } from '../../shared/platform/errors.js';
import type { StoredFile } from '../../shared/platform/storage/storage.js';

export interface SentFile {
  readonly contentType: string;
  readonly cacheControl: string;
  /** Given: the browser saves the file under this name instead of showing it. */
  readonly fileName?: string;
  /** Called once, with how many bytes of the file have left this process; fewer where the caller went away. */
  readonly onSent?: (bytes: number) => void;
}

/** Larger reads than Node's 64 KiB: fewer round trips to the disk for segments of one or two megabytes. */
const readBytes = 512 * 1024;

/**
 * Answers GET or HEAD with a stored file, in flat memory: ETag, Last-Modified, conditional requests, If-Range, one byte
 * range (several are answered with the whole file, as RFC 9110 allows). Resolves when the answer has been sent or the
 * caller is gone. Throws NotFoundError and RangeNotSatisfiableError while nothing has been sent yet.
 */
export async function sendStoredFile(
  request: { readonly ctx: Context; readonly response: Response },
  key: string,
  file: SentFile,
): Promise<void> {
  const { ctx, response } = request;
  const stored = await ctx.storage.stat(key);
  if (stored === null) throw new NotFoundError({ detail: `no stored file ${key}` });
  setHeaders(response, stored, file);
  const startBytes = response.socket?.bytesWritten ?? 0;
  if (file.onSent) response.once('close', () => file.onSent?.(bytesSent(response, startBytes)));
  await transfer(ctx, response, stored);
}

function setHeaders(response: Response, stored: StoredFile, file: SentFile): void {
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Cache-Control', file.cacheControl);
  response.setHeader('ETag', stored.etag);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (file.fileName !== undefined) response.setHeader('Content-Disposition', attachment(file.fileName));
}

/** `send` decides what to answer; where the file is not on this disk, only its reading is ours. */
async function transfer(ctx: Context, response: Response, stored: StoredFile): Promise<void> {
  const path = ctx.storage.localPath(stored.key);
  takeLongTailForWhole(response, stored);
  const sender = send(response.req, stored.key, {
    cacheControl: false,
    highWaterMark: readBytes,
  } as send.SendOptions) as Sender;
  sender.res = response;
  const failed = new Promise<never>((_resolve, reject) => {
    sender.on('error', (error: Error & { status?: number }) => reject(error));
    if (path === null) sender.stream = (_path, range) => void pipeFromStore(ctx, stored, range, response).catch(reject);
  });
  const closed = response.destroyed ? Promise.resolve() : once(response, 'close');
  sender.send(path ?? stored.key, { size: stored.bytes, mtime: stored.modifiedAt } as Stats);
  try {
    await Promise.race([failed, closed]);
  } catch (error) {
    refuse(error as Error & { status?: number }, response, stored);
  }
}

/** The last so many bytes of a file that has fewer are all it has (RFC 9110, 14.1.2); `send` would refuse them. */
function takeLongTailForWhole({ req: { headers } }: Response, { bytes }: StoredFile): void {
  const [, tail] = /^ *bytes=\s*-(\d+)\s*$/.exec(headers.range ?? '') ?? [];
  if (bytes > 0 && Number(tail) > bytes) headers.range = 'bytes=0-';
}

/** What of `send` we use beyond its types. */
interface Sender extends send.SendStream {
  res: Response;
  stream(path: string, range: { start: number; end: number }): void;
}

async function pipeFromStore(
  ctx: Context,
  stored: StoredFile,
  range: { start: number; end: number },
  response: Response,
): Promise<void> {
  const body = await ctx.storage.read(
    stored.key,
    stored.bytes === 0 ? undefined : { start: range.start, end: range.end },
  );
  if (response.destroyed) return void body.destroy();
  response.once('close', () => body.destroy());
  body.once('error', (error) => response.destroy(error));
  body.pipe(response);
}

function refuse(error: Error & { status?: number }, response: Response, stored: StoredFile): void {
  if (response.headersSent) return void response.destroy();
  response.statusCode = 200;
  if (error.status === 412) return void response.writeHead(412, { 'Content-Length': 0 }).end();
  if (error.status === 416) throw new RangeNotSatisfiableError(stored.bytes);
  if (error.status === 404) throw new NotFoundError({ detail: `no stored file ${stored.key}`, cause: error });
  throw error;
}

/** A whole answer has its declared length; of one cut off, what the line has taken. */
function bytesSent(response: Response, startBytes: number): number {
  if (response.req.method === 'HEAD' || response.statusCode === 304) return 0;
  const declared = Number(response.getHeader('Content-Length') ?? 0);
  if (response.writableFinished) return declared;
  return Math.max(0, Math.min(declared, (response.req.socket.bytesWritten ?? 0) - startBytes));
}
