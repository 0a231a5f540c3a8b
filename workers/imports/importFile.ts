import { Readable } from 'node:stream';
import {
  claimImport,
  findUpload,
  renewUpload,
  returnUpload,
  type UploadClaim,
} from '../../shared/upload/upload.lifecycle.js';
import type { ArrivingUpload } from '../../shared/upload/upload.model.js';
import type { ImportPayload } from '../../shared/upload/upload.jobs.js';
import {
  beginImport,
  endOfImport,
  finishImport,
  importRecorder,
  removeImport,
} from '../../shared/upload/import.driver.js';
import {
  continueLater,
  othersWait,
  recordUnresumable,
  type ImportPause,
} from '../../shared/upload/importQueue.service.js';
import { sourceKey } from '../../shared/upload/sourceKey.js';
import type { ContentFailure } from '../../shared/content/generation.lifecycle.js';
import type { Context } from '../../shared/platform/context.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { QuotaExceededError } from '../../shared/platform/errors.js';
import { claimWork, leaseSeconds, newLeaseOwner, underLease } from '../../shared/platform/lease.js';
import { Tunable } from '../../shared/platform/tunable.js';
import { outgoingGuardOf } from '../../shared/platform/outgoing/outgoingGuard.js';
import { userAgentOf } from '../../shared/platform/outgoing/outgoingRequest.js';
import type { Piece } from '../../shared/platform/storage/storage.js';
import { failContent } from '../content/failContent.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { ArrivalRate, inTimeSlice, SliceEndedError } from '../runtime/timeSlice.js';
import { checkedBody } from './checkedBody.js';
import { BrokenTransferError, ImportRefusedError, UnreachableServerError } from './importErrors.js';
import { openAddress, type OpenedAddress } from './openAddress.js';
import { enterUnresumable, NoSlotError } from './unresumableSlots.js';

/** Requests that have brought nothing, one after the other. */
const maxFailures = 8;
const maxPauseMs = 60_000;
/** A server that asks its clients to wait for longer (`Retry-After`) is requested again after this time. */
const maxRetryAfterMs = 10 * 60_000;
/** How long a response is read before other owners come first. */
export const importSliceSeconds = new Tunable(15);
/** A transfer that cannot go on later keeps a slot others of its kind wait for while it has this speed, and for this time. */
export const fastImportBytesPerSecond = new Tunable(256 * 1024);
const maxFastMs = 30 * 60_000;
/** Between two looks for a slot of an import that cannot be continued. */
const slotPollMs = 5_000;

/**
 * `box.import`: fetches the file of a box item from its address, for a time slice or until a request has broken off; then the next job goes
 * on, after the imports of other owners. A file that cannot be fetched makes the content FAILED with a reason; the job itself has then
 * succeeded.
 */
export async function importFileHandler(run: JobRun<ImportPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const claim = { uploadId: payload.uploadId, leaseOwner: newLeaseOwner() };
  const upload = await claimWork(run, () => claimImport(ctx, claim, leaseSeconds(ctx)));
  if (!upload) return { skipped: 'nothing to import' };
  // Where nobody wants the file any more, the lease is lost, and the next job finds out why.
  const renew = async (): Promise<boolean> =>
    (await renewUpload(ctx, claim, leaseSeconds(ctx))) !== null && (await endOfImport(ctx, upload)) === null;
  try {
    const rest = await underLease(run, renew, (signal) => fetchSlice(run, upload, claim, signal));
    if (rest) {
      await continueLater(ctx, claim, { userId: upload.userId, ...rest });
      return { continues: rest };
    }
    const whole = await findUpload(ctx, upload.id);
    if (!whole || !(await finishImport(ctx, whole, claim))) throw refusalOf('deleted');
    return { imported: whole.receivedBytes };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) {
      await returnUpload(ctx, claim);
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

/** Fails an import whose reservation has expired: no worker has fetched anything of it for a day. */
export async function failExpiredImport(ctx: Context, upload: ArrivingUpload): Promise<void> {
  await failImport(ctx, upload, { key: 'content.failure.importBroken', detail: 'not fetched within a day' });
}

function failureOf(error: unknown): ContentFailure | null {
  if (error instanceof ImportRefusedError) return { key: error.key, detail: error.message };
  if (error instanceof BrokenTransferError) return { key: error.key, detail: error.message };
  if (error instanceof QuotaExceededError) return { key: 'content.failure.importTooLarge', detail: error.message };
  return null;
}

/**
 * Requests the rest of the file once. Null: the file has arrived. Throws ImportRefusedError, and BrokenTransferError after too many requests that
 * have brought nothing.
 */
async function fetchSlice(
  run: JobRun<ImportPayload>,
  upload: ArrivingUpload,
  claim: UploadClaim,
  signal: AbortSignal,
): Promise<ImportPause | null> {
  const { ctx, log } = run;
  const end = await endOfImport(ctx, upload);
  if (end !== null) throw refusalOf(end);
  if (upload.receivedBytes > 0 && upload.receivedBytes === upload.totalBytes) return null;
  try {
    await fetchRest(run, upload, claim, signal);
    return null;
  } catch (error) {
    if (error instanceof NoSlotError) return { failures: upload.failures, pauseMs: 0, pollMs: slotPollMs };
    const isSliceEnd = error instanceof SliceEndedError;
    if (!isSliceEnd && !(error instanceof BrokenTransferError)) throw error;
    const after = await findUpload(ctx, claim.uploadId);
    const hasGrown = (after?.receivedBytes ?? 0) > upload.receivedBytes;
    if (isSliceEnd && hasGrown) return { failures: 0, pauseMs: 0, pollMs: 0 };
    const failures = hasGrown ? 1 : upload.failures + 1;
    log.info({ uploadId: upload.id, detail: error.message, failures }, 'import goes on');
    if (failures >= maxFailures) throw isSliceEnd ? new BrokenTransferError(error.message) : error;
    return { failures, pauseMs: pauseAfter(error, failures), pollMs: 0 };
  }
}

function pauseAfter(error: Error, failures: number): number {
  const retryAfterMs = error instanceof UnreachableServerError ? error.retryAfterMs : 0;
  return Math.max(Math.min(maxPauseMs, 500 * 2 ** failures), Math.min(maxRetryAfterMs, retryAfterMs));
}

/**
 * Throws SliceEndedError if the slice has ended before the file has, NoSlotError if the import cannot be continued and all slots for
 * such imports are taken. The server of an import that waits for one of them is requested once.
 */
async function fetchRest(
  run: JobRun<ImportPayload>,
  upload: ArrivingUpload,
  claim: UploadClaim,
  signal: AbortSignal,
): Promise<void> {
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
      await fetchOpened(run, upload, claim, { opened, signal });
    } finally {
      opened.body.destroy();
    }
  } finally {
    release?.();
  }
}

/** Throws SliceEndedError if the slice has ended before the file has. */
async function fetchOpened(
  { ctx, log }: JobRun<ImportPayload>,
  upload: ArrivingUpload,
  claim: UploadClaim,
  { opened, signal }: { readonly opened: OpenedAddress; readonly signal: AbortSignal },
): Promise<void> {
  const { id, receivedBytes: start } = upload;
  const { totalBytes } = opened;
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
  let received = start;
  const stored = async (piece: Piece): Promise<void> => {
    if (!(await record(piece))) throw refusalOf('deleted');
    received = piece.start + piece.bytes;
  };
  const seconds = ctx.config.limit(importSliceSeconds);
  const fastBytesPerSecond = ctx.config.limit(fastImportBytesPerSecond);
  const [rate, endsAt] = [new ArrivalRate(start), performance.now() + maxFastMs];
  let arrived = start;
  const shouldEnd = async (): Promise<boolean> => {
    const isFast = rate.bytesPerSecond(arrived) >= fastBytesPerSecond && performance.now() < endsAt;
    return (opened.canContinue || !isFast) && othersWait(ctx, upload.userId, { unresumable: !opened.canContinue });
  };
  await inTimeSlice({ seconds, shouldEnd, log }, async (sliceEnd) => {
    const bytes = checkedBody(opened.body, {
      ...{ start, maxBytes, signal, sliceEnd },
      onBytes: (count) => (arrived = count),
    });
    const body = withErrorListener(Readable.from(bytes, { objectMode: false }));
    await ctx.storage.arrivals.append(sourceKey(id), body, { start, totalBytes: maxBytes, signal, stored });
    if (!sliceEnd.aborted || received === totalBytes) return;
    if (opened.canContinue) throw sliceEnd.reason;
    throw new ImportRefusedError('content.failure.importBroken', 'slow, and cannot go on later, while others wait');
  });
  if (totalBytes !== null && received < totalBytes) throw new BrokenTransferError('the response has ended early');
  if (received === 0) throw new ImportRefusedError('content.failure.empty', 'no bytes');
}

/** Of a deleted item, nobody is notified: its content is no longer processed. */
function refusalOf(end: 'deleted' | 'disabled'): ImportRefusedError {
  return end === 'deleted'
    ? new ImportRefusedError('content.failure.internal', 'the item was deleted')
    : new ImportRefusedError('content.failure.importDisabled', 'the account is disabled');
}
