import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import type { MediaSource } from './demuxers.js';

/** Size of the ranges that are read from an object store, because ffmpeg may stop reading at any position. */
const rangeBytes = 8 * 1024 ** 2;
/**
 * Limit of reads: ffprobe and ffmpeg read a file about twice, mostly sequentially, but a malicious file can make them seek
 * endlessly.
 */
const maxReads = { times: 4, bytes: 64 * 1024 ** 2 };
/** Minimum bytes that a request counts, because each causes a request to the store. */
const minBytes = 256 * 1024;

/** A file that is read in ranges; `end` is included. */
export interface RangedFile {
  readonly bytes: number;
  /** Options for opening the file. */
  readonly opening?: Pick<MediaSource, 'isArriving'>;
  read(range: { readonly start: number; readonly end: number }): Promise<Readable>;
}

/** ffmpeg has read too many ranges of a file. */
export class TooManyReadsError extends Error {}

/**
 * Serves one stored file in ranges to ffmpeg processes on this machine while `work` runs, so that only the ranges that they read
 * are fetched. The address has a random path, and only this machine can connect to it.
 *
 * Rejects with an error of the storage, regardless of the result of `work`: to ffmpeg, the file only seems to be truncated. Throws
 * TooManyReadsError if ffmpeg reads several times the size of the file.
 */
export async function withRangeServer<Result>(
  file: RangedFile,
  work: (source: MediaSource) => Promise<Result>,
): Promise<Result> {
  const path = `/${randomUUID()}`;
  const faults: unknown[] = [];
  const budget = { bytes: maxReads.times * file.bytes + maxReads.bytes };
  const server = withErrorListener(
    createServer((request, response) => {
      if (request.url !== path) return void response.writeHead(404).end();
      send(file, budget, request, response).catch((error: unknown) => {
        // The stream also fails if a tool closes its connection.
        if (!response.destroyed) faults.push(error);
        response.destroy();
      });
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const result = await work({ address: `http://127.0.0.1:${port}${path}`, protocols: 'http,tcp', ...file.opening });
    if (faults.length === 0) return result;
  } catch (error) {
    if (faults.length === 0) throw error;
  } finally {
    server.close();
    server.closeAllConnections();
  }
  throw faults[0];
}

async function send(
  file: RangedFile,
  budget: { bytes: number },
  { headers, method }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { bytes } = file;
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const start = Number(first);
  const end = Math.min(last === '' ? bytes - 1 : Number(last), bytes - 1);
  if (start > end) return void response.writeHead(416, { 'Content-Range': `bytes */${bytes}` }).end();
  // ffmpeg reads the size after the slash. It is omitted during an upload, because the file may be smaller than announced.
  const range = `bytes ${start}-${end}`;
  const reported = file.opening?.isArriving
    ? { 'Content-Range': range }
    : { 'Content-Range': `${range}/${bytes}`, 'Content-Length': end - start + 1 };
  const { 'Content-Range': _range, ...withoutRange } = reported;
  response.writeHead(headers.range ? 206 : 200, {
    'Accept-Ranges': 'bytes',
    'Content-Type': 'application/octet-stream',
    ...(headers.range ? reported : withoutRange),
  });
  if (method === 'HEAD') return void response.end();
  budget.bytes -= minBytes;
  const parts = async function* (): AsyncGenerator<Buffer> {
    for (let at = start; at <= end; at += rangeBytes) {
      const to = Math.min(at + rangeBytes - 1, end);
      // Counts the bytes that are read, not those requested: a tool that seeks discards most of a range.
      for await (const part of (await file.read({ start: at, end: to })) as AsyncIterable<Buffer>) {
        budget.bytes -= part.length;
        if (budget.bytes < 0) throw new TooManyReadsError(`more than ${maxReads.times} times ${bytes} bytes were read`);
        yield part;
      }
    }
  };
  await pipeline(parts, response, { end: false });
  response.end();
}
