import { Readable } from 'node:stream';
import {
  claimImport,
  findUpload,
  renewUpload,
  releaseUpload,
  type UploadClaim,
} from '../../shared/upload/upload.lifecycle.js';
import type { ArrivingUpload } from '../../shared/upload/upload.model.js';
import type { ImportPayload } from '../../shared/upload/upload.jobs.js';
import { beginImport, endOfImport, finishImport, importRecorder } from '../../shared/upload/import.driver.js';
import {
  continueLater,
  othersWait,
  recordUnresumable,
  type ImportPause,
} from '../../shared/upload/importQueue.service.js';
import { sourceKey } from '../../shared/upload/sourceKey.js';
import { dropUpload } from '../../shared/upload/upload.service.js';
import { UploadProgress } from '../../shared/upload/uploadProgress.service.js';
import type { ContentFailure } from '../../shared/content/generation.lifecycle.js';
import type { Context } from '../../shared/platform/context.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { QuotaExceededError } from '../../shared/platform/errors.js';
import { claimWork, leaseSeconds, newLeaseOwner, underLease } from '../../shared/platform/lease/index.js';
import { Tunable } from '../../shared/platform/tunable.js';
import { outgoingGuardOf } from '../../shared/platform/outgoing/outgoingGuard.js';
import { userAgentOf } from '../../shared/platform/outgoing/outgoingRequest.js';
import { failContent } from '../content/failContent.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { ArrivalRate, inTimeSlice, SliceEndedError } from '../runtime/timeSlice.js';
import { checkedBody } from './checkedBody.js';
import { BrokenTransferError, ImportRefusedError, UnreachableServerError } from './importErrors.js';
import { openAddress, type OpenedAddress } from './openAddress.js';
import { enterUnresumable, NoSlotError } from './unresumableSlots.js';

/** Maximum of consecutive requests that transferred no bytes. */
const maxFailures = 8;
const maxPauseMs = 60_000;
/** Maximum delay that is granted to a server (`Retry-After`). */
const maxRetryAfterMs = 10 * 60_000;
/** How long a response is read before the worker slot is released for imports of other owners. */
export const importSliceSeconds = new Tunable(15);
/**
 * While other imports that cannot be continued are waiting, a running one keeps its slot only at this speed, and at most for this
 * time.
 */
export const fastImportBytesPerSecond = new Tunable(256 * 1024);
const maxFastMs = 30 * 60_000;
/** Interval at which an import that cannot be continued retries to get a slot. */
const slotPollMs = 5_000;

/** An import under the lease of this worker. */
interface HeldImport {
  readonly run: JobRun<ImportPayload>;
  readonly upload: ArrivingUpload;
  readonly claim: UploadClaim;
  /** Aborts when the lease is lost. */
  readonly signal: AbortSignal;
}

/**
 * `box.import`: fetches the file of a box item from its address, for a time slice or until a request breaks off; the next job
 * continues, after the imports of other owners. A file that cannot be fetched makes the content FAILED with a reason; the job
 * itself succeeds.
 */
export async function importFileHandler(run: JobRun<ImportPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const claim = { uploadId: payload.uploadId, leaseOwner: newLeaseOwner() };
  const upload = await claimWork(run, () => claimImport(ctx, claim, leaseSeconds(ctx)));
  if (!upload) return { skipped: 'nothing to import' };
  // Deleting the item, or disabling the owner, ends the lease of an import; the next job finds the reason.
  const renew = async (): Promise<boolean> =>
    (await renewUpload(ctx, claim, leaseSeconds(ctx))) !== null && (await endOfImport(ctx, upload)) === null;
  try {
    const rest = await underLease(run, renew, (signal) => fetchSlice({ run, upload, claim, signal }));
    if (rest) {
      await continueLater(ctx, claim, { userId: upload.userId, ...rest });
      return { continues: rest };
    }
    const complete = await findUpload(ctx, upload.id);
    if (!complete || !(await finishImport(ctx, complete, claim))) throw refusalOf('deleted');
    return { imported: complete.receivedBytes };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) {
      await releaseUpload(ctx, claim);
      throw error;
    }
    await failImport(ctx, upload, failure);
    return { failed: failure.key, detail: failure.detail };
  }
}

/** Makes the content FAILED, and removes the bytes received so far. */
async function failImport(ctx: Context, upload: ArrivingUpload, failure: ContentFailure): Promise<void> {
  await failContent(ctx, { contentId: upload.contentId ?? '', generation: 1 }, failure);
  await dropUpload(ctx, { id: upload.id, progress: new UploadProgress(ctx, upload) });
}

/** Fails an import whose reservation has expired because no worker has fetched a byte for a day. */
export function failExpiredImport(ctx: Context, upload: ArrivingUpload): Promise<void> {
  return failImport(ctx, upload, { key: 'content.failure.importBroken', detail: 'not fetched within a day' });
}

function failureOf(error: unknown): ContentFailure | null {
  if (error instanceof ImportRefusedError || error instanceof BrokenTransferError)
    return { key: error.key, detail: error.message };
  if (error instanceof QuotaExceededError) return { key: 'content.failure.importTooLarge', detail: error.message };
  return null;
}

/**
 * Sends one request for the rest of the file. Resolves with null when the file is complete. Throws ImportRefusedError, and
 * BrokenTransferError after too many requests that transferred no bytes.
 */
async function fetchSlice(held: HeldImport): Promise<ImportPause | null> {
  const { upload } = held;
  const { ctx, log } = held.run;
  const end = await endOfImport(ctx, upload);
  if (end !== null) throw refusalOf(end);
  if (upload.receivedBytes > 0 && upload.receivedBytes === upload.totalBytes) return null;
  try {
    await fetchRest(held);
    return null;
  } catch (error) {
    if (error instanceof NoSlotError) return { failures: upload.failures, pauseMs: 0, pollMs: slotPollMs };
    const isSliceEnd = error instanceof SliceEndedError;
    if (!isSliceEnd && !(error instanceof BrokenTransferError)) throw error;
    const after = await findUpload(ctx, upload.id);
    const hasGrown = (after?.receivedBytes ?? 0) > upload.receivedBytes;
    if (isSliceEnd && hasGrown) return { failures: 0, pauseMs: 0, pollMs: 0 };
    const failures = hasGrown ? 1 : upload.failures + 1;
    log.info({ uploadId: upload.id, detail: error.message, failures }, 'import interrupted');
    if (failures >= maxFailures) throw isSliceEnd ? new BrokenTransferError(error.message) : error;
    return { failures, pauseMs: pauseAfter(error, failures), pollMs: 0 };
  }
}

function pauseAfter(error: Error, failures: number): number {
  const retryAfterMs = error instanceof UnreachableServerError ? error.retryAfterMs : 0;
  return Math.max(Math.min(maxPauseMs, 500 * 2 ** failures), Math.min(maxRetryAfterMs, retryAfterMs));
}

/**
 * Throws SliceEndedError if the slice ended before the file was complete, and NoSlotError if the import cannot be continued and all
 * slots for such imports are taken. While an import waits for a slot, its server gets only one request.
 */
async function fetchRest(held: HeldImport): Promise<void> {
  const { run, upload, claim, signal } = held;
  const { ctx } = run;
  const { receivedBytes: start, sourceUrl, sourceValidator: validator } = upload;
  let release = upload.resumable === false ? await enterUnresumable(ctx, upload) : undefined;
  try {
    const request = { userAgent: userAgentOf(ctx.config), start, validator, signal };
    const opened = await openAddress(outgoingGuardOf(ctx.config), sourceUrl ?? '', request);
    try {
      if (!opened.canContinue && !release) {
        await recordUnresumable(ctx, claim);
        release = await enterUnresumable(ctx, upload);
      }
      await storeResponse(held, opened);
    } finally {
      opened.body.destroy();
    }
  } finally {
    release?.();
  }
}

/** Throws SliceEndedError if the slice ended before the file was complete. */
async function storeResponse({ run, upload, claim, signal }: HeldImport, opened: OpenedAddress): Promise<void> {
  const { ctx, log } = run;
  const { id, receivedBytes: start } = upload;
  const { totalBytes, canContinue } = opened;
  const maxBytes = totalBytes ?? ctx.config.http.uploadLimitBytes;
  if (maxBytes > ctx.config.http.uploadLimitBytes)
    throw new ImportRefusedError('content.failure.importTooLarge', `${maxBytes} bytes`);
  if (upload.totalBytes === 0) await beginImport(ctx, claim, opened);
  else if (totalBytes !== null && totalBytes !== upload.totalBytes)
    throw new ImportRefusedError(
      'content.failure.importChanged',
      `${totalBytes} bytes, and ${upload.totalBytes} before`,
    );
  const record = importRecorder(ctx, claim, upload, opened);
  let [arrived, stored] = [start, start];
  const fastBytesPerSecond = ctx.config.limit(fastImportBytesPerSecond);
  const [rate, endsAt] = [new ArrivalRate(start), performance.now() + maxFastMs];
  const shouldEnd = async (): Promise<boolean> => {
    const isFast = rate.bytesPerSecond(arrived) >= fastBytesPerSecond && performance.now() < endsAt;
    return (canContinue || !isFast) && othersWait(ctx, upload.userId, { unresumable: !canContinue });
  };
  await inTimeSlice({ seconds: ctx.config.limit(importSliceSeconds), shouldEnd, log }, async (sliceEnd) => {
    const onBytes = (count: number): void => void (arrived = count);
    const bytes = checkedBody(opened.body, { start, maxBytes, signal, sliceEnd, onBytes });
    await ctx.storage.arrivals.append(sourceKey(id), withErrorListener(Readable.from(bytes, { objectMode: false })), {
      ...{ start, totalBytes: maxBytes, signal },
      async stored(piece) {
        if (!(await record(piece))) throw refusalOf('deleted');
        stored = piece.start + piece.bytes;
      },
    });
    if (!sliceEnd.aborted || stored === totalBytes) return;
    if (canContinue) throw sliceEnd.reason;
    throw new ImportRefusedError(
      'content.failure.importBroken',
      'too slow for an import that cannot be continued while others wait',
    );
  });
  if (totalBytes !== null && stored < totalBytes) throw new BrokenTransferError('the response has ended early');
  if (stored === 0) throw new ImportRefusedError('content.failure.empty', 'no bytes');
}

/** The owner of a deleted item is not notified: its content is no longer processed. */
function refusalOf(end: 'deleted' | 'disabled'): ImportRefusedError {
  return end === 'deleted'
    ? new ImportRefusedError('content.failure.internal', 'the item was deleted')
    : new ImportRefusedError('content.failure.importDisabled', 'the account is disabled');
}
