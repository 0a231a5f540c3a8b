import type { RequestHandler } from 'express';
import type { Context } from '../../../shared/platform/context.js';
import { checksumAlgorithms } from './tusBody.js';
import { tusVersion } from './serveTus.js';
import { tusExtensions } from './tusStore.js';

/** Methods for an upload that exists, which a client may name in a header where its network lets only GET and POST pass. */
const overridden = new Set(['PATCH', 'DELETE', 'HEAD']);

/** What every response of tus says, errors included; and a method that the client names in a header. */
export function tusHeaders({ config }: Pick<Context, 'config'>): RequestHandler {
  return (request, response, next) => {
    response.setHeader('Tus-Resumable', tusVersion);
    response.setHeader('Tus-Version', tusVersion);
    if (request.method === 'OPTIONS') {
      response.setHeader('Tus-Extension', tusExtensions.join(','));
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
