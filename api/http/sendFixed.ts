import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestOf } from './route.js';

/** A body that does not change while the process runs. */
export interface FixedContent {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

export function fixedContent(type: string, content: string | Buffer): FixedContent {
  const bytes = Buffer.from(content);
  return { type, bytes, etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

const compress = promisify(gzip);
/** Each content is compressed once. */
const compressed = new WeakMap<FixedContent, Promise<Buffer>>();

/** Sends the content, compressed where the client permits it; 304 where the client has it already. */
export async function sendFixed(
  { response, headers }: RequestOf<unknown, unknown, unknown>,
  content: FixedContent,
  cacheControl: string,
): Promise<void> {
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('ETag', content.etag);
  if (response.req.fresh) return void response.status(304).end();
  const takesGzip = /\bgzip\b/.test(headers['accept-encoding'] ?? '');
  const bytes = takesGzip ? await compressedOnce(content) : content.bytes;
  if (takesGzip) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Type', content.type);
  response.setHeader('Content-Length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

function compressedOnce(content: FixedContent): Promise<Buffer> {
  const known = compressed.get(content) ?? compress(content.bytes, { level: 9 });
  compressed.set(content, known);
  return known;
}
