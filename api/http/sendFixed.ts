import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import accepts from 'accepts';
import type { RequestOf } from './route.js';

/** A body that does not change while the process runs. */
export interface FixedContent {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
  /** Forms that the build has compressed. Null: the content itself is compressed. */
  readonly made: CompressedForms | null;
}

export interface CompressedForms {
  readonly br?: Buffer;
  readonly gzip?: Buffer;
}

export function fixedContent(type: string, content: string | Buffer, made: CompressedForms | null = {}): FixedContent {
  const bytes = Buffer.from(content);
  return { type, bytes, made, etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

const compress = promisify(gzip);
/** Each content is compressed once. */
const compressed = new WeakMap<FixedContent, Promise<Buffer>>();

/** Sends the content, compressed if the client accepts it; 304 if the client already has it. */
export async function sendFixed(
  { response, headers }: RequestOf<unknown, unknown, unknown>,
  content: FixedContent,
  cacheControl: string,
): Promise<void> {
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('ETag', content.etag);
  if (response.req.fresh) return void response.status(304).end();
  const encoding = encodingFor(headers['accept-encoding'], response.req, content);
  const bytes = encoding === null ? content.bytes : await compressedOnce(content, encoding);
  if (encoding !== null) response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Type', content.type);
  response.setHeader('Content-Length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

/** The smallest encoding that the client accepts; null: uncompressed. */
function encodingFor(
  permitted: string | undefined,
  request: Parameters<typeof accepts>[0],
  { made }: FixedContent,
): keyof CompressedForms | null {
  if (!permitted || !made) return null;
  const takes = (encoding: keyof CompressedForms): boolean => accepts(request).encodings(encoding) === encoding;
  if (made.br && takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : null;
}

async function compressedOnce(content: FixedContent, encoding: keyof CompressedForms): Promise<Buffer> {
  const made = content.made?.[encoding];
  if (made) return made;
  const known = compressed.get(content) ?? compress(content.bytes, { level: 9 });
  compressed.set(content, known);
  return known;
}
