import { ConflictError, PreconditionFailedError } from '../../../shared/platform/errors.js';
import { sharedConcurrency } from '../../../shared/platform/sharedConcurrency.js';
import { LeaseLostError } from '../../../shared/platform/lease/index.js';
import { NotImplementedError, UnsupportedMediaTypeError } from '../../http/httpErrors.js';
import { CopiedBody } from '../../http/copiedBody.js';
import { readChecksum, tusBody } from './tusBody.js';
import { bodyType, readTusHeaders, tusVersion } from './tusHeaders.js';
import { continueTus, createTus, readTus, terminateTus, type TusRequest } from './tusVerbs.js';

/** Uploads that one user may send at a time, the same as for forms. */
const uploadsOfUser = 20;
const verbs = { POST: createTus, HEAD: readTus, PATCH: continueTus, DELETE: terminateTus };

/**
 * Responds to a tus 1.0 request (`docs/contract.md#choices-tus`). Each request may reach another process: the state of an upload is
 * in its row, its bytes are in the storage, and only the request that holds the upload's lease appends bytes.
 */
export async function serveTus(request: TusRequest, method: keyof typeof verbs): Promise<void> {
  const { ctx, headers, response, userId } = request;
  if (headers['tus-resumable'] !== tusVersion) throw new PreconditionFailedError({ key: 'tus.version' });
  if (headers['upload-concat'] !== undefined) throw new NotImplementedError({ key: 'tus.concatenation' });
  if (method === 'PATCH' && headers['content-type'] !== bodyType)
    throw new UnsupportedMediaTypeError({ key: 'tus.contentType' });
  const checksum = readChecksum(headers['upload-checksum']);
  const sent = readTusHeaders(headers);
  // A request without a body can also wait for the previous one, so it is counted too.
  const hasBody = method === 'POST' || method === 'PATCH';
  const leave = await sharedConcurrency(ctx).enter(`${hasBody ? 'upload' : 'resume'}:${userId}`, uploadsOfUser);
  const copied = new CopiedBody(ctx, response.req);
  try {
    const answer = await verbs[method]({
      request,
      sent,
      body: tusBody(copied, checksum),
      onRequested: () => copied.leave(),
    });
    if (response.destroyed) return;
    response.status(answer.status).set({ ...answer.headers, 'Cache-Control': 'no-store' });
    response.end();
  } catch (error) {
    throw error instanceof LeaseLostError ? new ConflictError({ key: 'upload.inProgress', cause: error }) : error;
  } finally {
    copied.close();
    leave();
  }
}
