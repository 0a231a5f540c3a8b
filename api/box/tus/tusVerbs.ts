import { randomUUID } from 'node:crypto';
import { ConflictError, MalformedRequestError, TooLargeError } from '../../../shared/platform/errors.js';
import { resumableMilliseconds } from '../../../shared/upload/pieceRecorder.js';
import {
  continueUpload,
  declareLength,
  finishUpload,
  openResumableUpload,
  terminateUpload,
  type SentBody,
} from '../../../shared/upload/tus.driver.js';
import { ownTusUpload } from '../../../shared/upload/upload.lifecycle.js';
import type { ArrivingUpload } from '../../../shared/upload/upload.model.js';
import { dropUpload } from '../../../shared/upload/upload.service.js';
import { underUploadLease, type UploadLease } from '../../../shared/upload/uploadLease.js';
import { UploadProgress } from '../../../shared/upload/uploadProgress.service.js';
import type { RequestOf } from '../../http/route.js';
import { progressIdOf } from '../uploadForm.js';
import { bodyType, tusPath, type TusHeaders } from './tusHeaders.js';
import { readUploadMetadata } from './uploadMetadata.js';

/** The methods of tus 1.0, each with its response. https://tus.io/protocols/resumable-upload */

export type TusRequest = RequestOf<{ readonly uploadId?: string }, unknown, unknown>;

interface Exchange {
  readonly request: TusRequest;
  readonly sent: TusHeaders;
  readonly body: SentBody;
  /** Called when a newer request waits for the upload. */
  readonly onRequested: () => void;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * POST: `creation`, `creation-with-upload` and `creation-defer-length`. If the caller does not receive the URL, the upload is
 * removed.
 */
export async function createTus(exchange: Exchange): Promise<Answer> {
  const { request, sent } = exchange;
  const { ctx, userId, headers, response } = request;
  if ((sent.length !== null) === sent.isDeferred) throw new MalformedRequestError({ key: 'tus.length' });
  assertLength(request, sent.length);
  const id = randomUUID();
  const progressId = progressIdOf(request) ?? id;
  const described = readUploadMetadata(ctx, sent.pairs);
  const upload = { id, totalBytes: sent.length, metadata: sent.metadata, progressId, ...described };
  await openResumableUpload(ctx, userId, upload);
  const remove = () => dropUpload(ctx, { id, progress: new UploadProgress(ctx, { userId, progressId }) });
  try {
    const Location = `${ctx.config.service.basePath}${tusPath}/${id}`;
    const hasBody = headers['content-type'] === bodyType;
    const progress = hasBody
      ? progressOf(exchange, await hold(exchange, id, (lease, created) => receive(exchange, lease, created)))
      : expiry(exchange);
    if (response.destroyed) await remove();
    return { status: 201, headers: { Location, ...progress } };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** HEAD: the received bytes. Also creates the box item of a complete upload, if the last PATCH was aborted before it created the item. */
export async function readTus(exchange: Exchange): Promise<Answer> {
  const { ctx } = exchange.request;
  const upload = await hold(exchange, idOf(exchange), (lease, present) => finishUpload(ctx, present, lease));
  const { totalBytes, metadata, boxId } = upload;
  return {
    status: 200,
    headers: {
      'Upload-Offset': `${upload.receivedBytes}`,
      ...(totalBytes === null ? { 'Upload-Defer-Length': '1' } : { 'Upload-Length': `${totalBytes}` }),
      ...(metadata ? { 'Upload-Metadata': metadata } : {}),
      ...(boxId === null ? {} : { 'Box-Id': boxId }),
    },
  };
}

/** PATCH: the next bytes, and the length of an upload that was created without it. */
export async function continueTus(exchange: Exchange): Promise<Answer> {
  const { request, sent } = exchange;
  if (sent.offset === null) throw new MalformedRequestError({ key: 'tus.offsetMissing' });
  const received = await hold(exchange, idOf(exchange), async (lease, present) => {
    const upload = await finishUpload(request.ctx, present, lease);
    if (upload.receivedBytes !== sent.offset) throw new ConflictError({ key: 'tus.offset' });
    if (sent.length === null) return receive(exchange, lease, upload);
    if (upload.totalBytes !== null || sent.length < upload.receivedBytes)
      throw new MalformedRequestError({ key: 'tus.length' });
    assertLength(request, sent.length);
    await declareLength(request.ctx, lease, sent.length);
    return receive(exchange, lease, { ...upload, totalBytes: sent.length });
  });
  return { status: 204, headers: progressOf(exchange, received) };
}

/** DELETE: `termination`. */
export async function terminateTus(exchange: Exchange): Promise<Answer> {
  await hold(exchange, idOf(exchange), (_lease, upload) => terminateUpload(exchange.request.ctx, upload));
  return { status: 204, headers: {} };
}

function idOf({ request }: Exchange): string {
  return request.params.uploadId ?? '';
}

function assertLength({ ctx }: TusRequest, length: number | null): void {
  const { uploadLimitBytes } = ctx.config.http;
  if (length !== null && length > uploadLimitBytes) throw new TooLargeError(uploadLimitBytes);
}

/** Runs `work` under the lease of one of the caller's uploads. */
async function hold<Result>(
  { request: { ctx, log, userId }, onRequested }: Exchange,
  id: string,
  work: (lease: UploadLease, upload: ArrivingUpload) => Promise<Result>,
): Promise<Result> {
  // Checked first: only the upload's owner may ask the request with the lease to end.
  await ownTusUpload(ctx, userId, id);
  return underUploadLease(ctx, id, { log, onRequested }, async (lease) =>
    work(lease, await ownTusUpload(ctx, userId, id)),
  );
}

/** Stores the body under the lease. Resolves with the upload after the last stored byte. */
async function receive(
  { request: { ctx, headers, userId }, body }: Exchange,
  lease: UploadLease,
  upload: ArrivingUpload,
): Promise<ArrivingUpload> {
  const end = upload.receivedBytes + Number(headers['content-length'] ?? 0);
  if (end > (upload.totalBytes ?? ctx.config.http.uploadLimitBytes))
    throw new MalformedRequestError({ key: 'tus.beyondLength' });
  if (upload.boxId !== null) return upload;
  await continueUpload(ctx, upload, lease, body);
  return finishUpload(ctx, await ownTusUpload(ctx, userId, upload.id), lease);
}

function progressOf(exchange: Exchange, { receivedBytes, totalBytes, boxId }: ArrivingUpload): Answer['headers'] {
  return {
    'Upload-Offset': `${receivedBytes}`,
    ...(receivedBytes === totalBytes ? {} : expiry(exchange)),
    ...(boxId === null ? {} : { 'Box-Id': boxId }),
  };
}

function expiry({ request: { ctx } }: Exchange): Answer['headers'] {
  return { 'Upload-Expires': new Date(ctx.clock.now().getTime() + resumableMilliseconds).toUTCString() };
}
