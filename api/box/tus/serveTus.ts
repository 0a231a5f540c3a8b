import { randomUUID } from 'node:crypto';
import { Server } from '@tus/server';
import { sharedConcurrency } from '../../../shared/platform/sharedConcurrency.js';
import { MalformedRequestError, PreconditionFailedError } from '../../../shared/platform/errors.js';
import { NotImplementedError, UnsupportedMediaTypeError } from '../../http/httpErrors.js';
import type { RequestOf } from '../../http/route.js';
import { watchSilence } from '../../http/silentUpload.js';
import { TusBody } from './tusBody.js';
import { errorOfProtocol } from './tusErrors.js';
import { TusLocker } from './tusLocker.js';
import { TusStore } from './tusStore.js';

export const tusPath = '/api/box/tus';
export const tusVersion = '1.0.0';
const bodyType = 'application/offset+octet-stream';
/** Uploads that one user may be sending at a time; as by the form. */
const uploadsOfUser = 20;

type TusRequest = RequestOf<unknown, unknown, unknown>;

/**
 * Answers a request of tus 1.0 (`docs/contract.md#choices-tus`). `@tus/server` keeps the rules of the protocol; our store and our lease
 * keep what it has to remember, so every request may reach another process. Each request has a server of its own, which knows its
 * caller.
 */
export async function serveTus(request: TusRequest, method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE'): Promise<void> {
  const { ctx, response, userId } = request;
  if (request.headers['tus-resumable'] !== tusVersion) throw new PreconditionFailedError({ key: 'tus.version' });
  if (request.headers['upload-concat'] !== undefined) throw new NotImplementedError({ key: 'tus.concatenation' });
  if (method === 'PATCH' && request.headers['content-type'] !== bodyType)
    throw new UnsupportedMediaTypeError({ key: 'tus.contentType' });
  const hasBody = method === 'POST' || method === 'PATCH';
  // Also one without a body may wait for the request before.
  const leave = await sharedConcurrency(ctx).enter(`${hasBody ? 'upload' : 'resume'}:${userId}`, uploadsOfUser);
  const body = new TusBody(response.req);
  const locker = new TusLocker(request, body);
  const store = new TusStore(request, locker, body);
  const unwatch = watchSilence(ctx, response.req, (error) => body.fail(error));
  try {
    const answer = await answerOf(request, method, store, locker);
    if (response.destroyed) return await store.abandon();
    response.status(answer.status);
    for (const [name, value] of answer.headers) if (isOurs(name)) response.setHeader(name, value);
    if (store.boxId !== null) response.setHeader('Box-Id', store.boxId);
    response.setHeader('Cache-Control', 'no-store');
    response.end();
  } catch (error) {
    await store.abandon();
    throw error;
  } finally {
    unwatch();
    leave();
  }
}

/** The response of the package, or its error as one of ours. */
async function answerOf(request: TusRequest, method: string, store: TusStore, locker: TusLocker): Promise<Response> {
  const { ctx } = request;
  let failure: { readonly error: unknown } | undefined;
  const server = new Server({
    path: `${ctx.config.service.basePath}${tusPath}`,
    relativeLocation: true,
    datastore: store,
    locker,
    maxSize: ctx.config.http.uploadLimitBytes,
    namingFunction: () => randomUUID(),
    onUploadCreate: async (_request, upload) => {
      await store.open(upload);
      return {};
    },
    onResponseError: (_request, error) => {
      failure = { error };
      return undefined;
    },
  });
  const answer = await server.handleWeb(headersOf(request, method));
  if (failure) throw errorOfProtocol(failure.error, ctx.config.http.uploadLimitBytes);
  // Headers that the package does not begin to handle.
  if (answer.status >= 400) throw new MalformedRequestError({ key: 'tus.header' });
  return answer;
}

/** The request as the package reads it, but its body: the store reads that. */
function headersOf({ headers, response }: TusRequest, method: string): Request {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') sent.set(name, value);
  return new Request(new URL(response.req.originalUrl, 'http://service'), { method, headers: sent });
}

/** The service says itself which origins may read what. */
function isOurs(name: string): boolean {
  return !name.startsWith('access-control-') && name !== 'content-length' && name !== 'content-type';
}
