import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import type { Context } from '../../../shared/platform/context.js';
import { MalformedRequestError } from '../../../shared/platform/errors.js';
import { checksumAlgorithms } from './tusBody.js';
import { parseMetadata, type MetadataPairs } from './uploadMetadata.js';

export const tusPath = '/api/box/tus';
export const tusVersion = '1.0.0';
export const bodyType = 'application/offset+octet-stream';
const extensions = 'creation,creation-with-upload,creation-defer-length,termination,expiration,checksum';
/** Methods of existing uploads. Clients whose network permits only GET and POST send them in `X-HTTP-Method-Override`. */
const overridden = new Set(['PATCH', 'DELETE', 'HEAD']);

/** Sets the headers of every tus response, errors included, and the method that the client has sent in a header. */
export function tusHeaders({ config }: Pick<Context, 'config'>): RequestHandler {
  return (request, response, next) => {
    response.setHeader('Tus-Resumable', tusVersion);
    response.setHeader('Tus-Version', tusVersion);
    if (request.method === 'OPTIONS') {
      response.setHeader('Tus-Extension', extensions);
      response.setHeader('Tus-Max-Size', config.http.uploadLimitBytes);
      response.setHeader('Tus-Checksum-Algorithm', checksumAlgorithms.join(','));
    }
    const method = request.headers['x-http-method-override'];
    const isCreation = request.path === '/';
    if (request.method === 'POST' && !isCreation && typeof method === 'string' && overridden.has(method))
      request.method = method;
    next();
  };
}

/** The headers of a request that describe its upload. */
export interface TusHeaders {
  readonly offset: number | null;
  /** Null: not sent. */
  readonly length: number | null;
  readonly isDeferred: boolean;
  /** `Upload-Metadata` as it was sent, and its pairs. */
  readonly metadata: string;
  readonly pairs: MetadataPairs;
}

/** Throws MalformedRequestError. */
export function readTusHeaders(headers: IncomingHttpHeaders): TusHeaders {
  const deferred = headers['upload-defer-length'];
  const metadata = headers['upload-metadata'];
  const pairs = metadata === undefined ? {} : parseMetadata(String(metadata));
  if (pairs === null || (deferred !== undefined && deferred !== '1'))
    throw new MalformedRequestError({ key: 'tus.header' });
  return {
    offset: readBytes(headers['upload-offset']),
    length: readBytes(headers['upload-length']),
    isDeferred: deferred !== undefined,
    metadata: String(metadata ?? ''),
    pairs,
  };
}

/** A number of bytes in decimal digits. Null: the header was not sent. */
function readBytes(header: string | string[] | undefined): number | null {
  if (header === undefined) return null;
  const bytes = Number(header);
  if (!/^\d+$/.test(String(header)) || String(bytes) !== header) throw new MalformedRequestError({ key: 'tus.header' });
  return bytes;
}
