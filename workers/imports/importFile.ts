import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import {
  claimImport,
  findUpload,
  renewUpload,
  returnUpload,
  type UploadHolder,
} from '../../shared/box/arrivingUpload.lifecycle.js';
import type { ArrivingUpload } from '../../shared/box/arrivingUpload.model.js';
import type { ImportPayload } from '../../shared/box/import.jobs.js';
import {
  beginImport,
  finishImport,
  followImport,
  recordImported,
  removeImport,
} from '../../shared/box/import.service.js';
import { sourceKey } from '../../shared/box/sourceKey.js';
import { UploadProgress } from '../../shared/box/uploadProgress.service.js';
import type { ContentFailure } from '../../shared/content/generation.lifecycle.js';
import type { Context } from '../../shared/platform/context.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { QuotaExceededError } from '../../shared/platform/errors.js';
import { claimWork, leaseSeconds, newLeaseOwner, underLease } from '../../shared/platform/lease.js';
import { outgoingGuardOf, type OutgoingGuard } from '../../shared/platform/outgoing/outgoingGuard.js';
import { failContent } from '../content/failContent.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { checkedBody } from './checkedBody.js';
import { BrokenTransferError, ImportRefusedError } from './importErrors.js';
import { openAddress } from './openAddress.js';

/** Requests that have brought nothing, one after the other. */
const mostFailures = 8;
const longestPauseMs = 60_000;

/**
 * `box.import`: fetches the file of a box item from its address, and goes on where a request has broken off. A file that cannot be
 * fetched makes the content FAILED with a reason; the job itself has then succeeded.
 */
export async function importFileHandler(run: JobRun<ImportPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const holder = { uploadId: payload.uploadId, leaseOwner: newLeaseOwner() };
  const upload = await claimWork(run, () => claimImport(ctx, holder, leaseSeconds(ctx)));
  if (!upload) return { skipped: 'nothing to import' };
  const renew = async (): Promise<boolean> => (await renewUpload(ctx, holder, leaseSeconds(ctx))) !== null;
  try {
    await underLease(run, renew, (signal) => fetchFile(run, holder, signal));
    const whole = await findUpload(ctx, upload.id);
    if (!whole || !(await finishImport(ctx, whole, holder))) throw deleted();
    return { imported: whole.receivedBytes };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) {
      await returnUpload(ctx, holder);
      throw error;
    }
    await failImport(ctx, upload, failure);
    return { failed: failure.key, detail: failure.detail };
  }
}

/** The content becomes FAILED, and what has arrived is removed. */
async function failImport(ctx: Context, upload: ArrivingUpload, failure: ContentFailure): Promise<void> {
  await failContent(ctx, { contentId: upload.contentId ?? '', generation: 1 }, failure);
  await removeImport(ctx, upload);
}

/** Fails an import whose reservation has expired: no worker has got on with it for a day. False where the upload is none. */
export async function failExpiredImport(ctx: Context, uploadId: string): Promise<boolean> {
  const upload = await findUpload(ctx, uploadId);
  if (!upload?.sourceUrl) return false;
  await failImport(ctx, upload, { key: 'content.failure.importBroken', detail: 'not fetched within a day' });
  return true;
}

function failureOf(error: unknown): ContentFailure | null {
  if (error instanceof ImportRefusedError) return { key: error.key, detail: error.message };
  if (error instanceof BrokenTransferError) return { key: 'content.failure.importBroken', detail: error.message };
  if (error instanceof QuotaExceededError) return { key: 'content.failure.importTooLarge', detail: error.message };
  return null;
}

/** Requests the rest of the file until it is there. Throws BrokenTransferError after too many requests that have brought nothing. */
async function fetchFile(
  { ctx, log }: JobRun<ImportPayload>,
  holder: UploadHolder,
  signal: AbortSignal,
): Promise<void> {
  const guard = outgoingGuardOf(ctx.config);
  for (let failures = 0; ;) {
    const upload = await findUpload(ctx, holder.uploadId);
    if (!upload) throw deleted();
    if (upload.totalBytes > 0 && upload.receivedBytes === upload.totalBytes) return;
    try {
      return await fetchRest(ctx, guard, upload, holder, signal);
    } catch (error) {
      if (!(error instanceof BrokenTransferError)) throw error;
      const after = await findUpload(ctx, holder.uploadId);
      failures = (after?.receivedBytes ?? 0) > upload.receivedBytes ? 1 : failures + 1;
      log.info({ uploadId: upload.id, detail: error.message, failures }, 'import goes on');
      if (failures >= mostFailures) throw error;
      await sleep(Math.min(longestPauseMs, 500 * 2 ** failures), undefined, { signal });
    }
  }
}

async function fetchRest(
  ctx: JobRun<ImportPayload>['ctx'],
  guard: OutgoingGuard,
  upload: ArrivingUpload,
  holder: UploadHolder,
  signal: AbortSignal,
): Promise<void> {
  const { id, receivedBytes: start, sourceUrl, sourceValidator: validator } = upload;
  const opened = await openAddress(guard, sourceUrl ?? '', { start, validator, signal });
  const { totalBytes } = opened;
  const mostBytes = totalBytes ?? ctx.config.http.uploadLimitBytes;
  if (mostBytes > ctx.config.http.uploadLimitBytes)
    throw new ImportRefusedError('content.failure.importTooLarge', `${mostBytes} bytes`);
  if (upload.totalBytes === 0) await beginImport(ctx, holder, opened);
  else if (totalBytes !== null && totalBytes !== upload.totalBytes)
    throw new ImportRefusedError(
      'content.failure.importChanged',
      `${totalBytes} bytes, and ${upload.totalBytes} before`,
    );
  const progress = new UploadProgress(ctx, upload.userId, upload.progressId);
  let received = start;
  const body = withErrorListener(
    Readable.from(checkedBody(opened.body, { start, mostBytes, signal }), { objectMode: false }),
  );
  await ctx.storage.arrivals.append(sourceKey(id), body, {
    ...{ start, totalBytes: mostBytes, signal },
    async stored(piece) {
      if (!(await recordImported(ctx, holder, upload, { piece, isSizeKnown: totalBytes !== null }))) throw deleted();
      if (received === start && totalBytes !== null) await followImport(ctx, { ...upload, ...opened, totalBytes });
      received = piece.start + piece.bytes;
      progress.report(Math.min(99, (received * 100) / mostBytes));
    },
  });
  if (totalBytes !== null && received < totalBytes) throw new BrokenTransferError('the response has ended early');
  if (received === 0) throw new ImportRefusedError('content.failure.empty', 'no bytes');
}

/** Nothing is told to anybody: the content is no longer processed. */
function deleted(): ImportRefusedError {
  return new ImportRefusedError('content.failure.internal', 'the item was deleted');
}
