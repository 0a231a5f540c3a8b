import type { ContentPayload } from '../../shared/content/content.jobs.js';
import type { Content } from '../../shared/content/content.model.js';
import {
  awaitArrival,
  claimIngestion,
  competingSources,
  releaseIngestion,
  renewIngestion,
} from '../../shared/content/ingestion.lifecycle.js';
import { mediaAllowanceOf } from '../../shared/license/mediaMinutes.service.js';
import {
  claimWork,
  reclaimAfterFailure,
  LeaseLostError,
  newLeaseOwner,
  underLease,
} from '../../shared/platform/lease/index.js';
import { Tunable } from '../../shared/platform/tunable.js';
import { isFragmented, readMovieBox, type RangeReader } from '../../shared/media/mp4/index.js';
import { removeLeftovers } from '../content/leftovers.js';
import { isPoison } from '../runtime/attempts.js';
import { atMostEvery, progressEveryMs } from '../runtime/atMostEvery.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { ArrivalRate, inTimeSlice } from '../runtime/timeSlice.js';
import { withTemporaryFolder } from '../runtime/temporaryFolders.js';
import { ArrivalStoppedError, ArrivingFile } from './arrivingFile.js';
import { commitCopied } from './commitCopied.js';
import { copySource } from './copy/copySource.js';
import { discardCopiedFiles } from './discardCopiedFiles.js';
import type { IngestionAttempt } from './ingestionAttempt.js';
import { rangeReaderOf } from './rangeReader.js';
import { frameThumbnailId } from './storeMedia.js';

/** The first bytes of Matroska (EBML) and of FLV. */
const streamableSignatures = [Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.from('FLV')];
/**
 * The sync byte at the start of each packet of a transport stream. In files of cameras and discs, a timestamp precedes each packet.
 */
const transportSync = 0x47;
const transportPackets = [
  { bytes: 188, syncAt: 0 },
  { bytes: 192, syncAt: 4 },
];
const beginningBytes = 3 * 192;

/** How long a source is followed before other owners have priority. */
export const followSliceSeconds = new Tunable(30);
/** An upload at this speed is followed to its end. */
const fastBytesPerSecond = 1024 ** 2;

/** An upload that will end within this time is not followed: reading the complete file from disk is faster. */
export const quickArrivalSeconds = new Tunable(6);

/**
 * `content.follow`: creates the quick generation of a content during its upload, if the source can be copied and its index is at
 * the beginning or grows with the file. All other sources are processed after the upload, by `content.ingest`. This job never fails
 * a content, because only the complete file is decisive.
 */
export async function followContentHandler(run: JobRun<ContentPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const leaseOwner = newLeaseOwner();
  const content = await claimWork(run, () => claimIngestion(ctx, payload.contentId, leaseOwner, 'FOLLOWED'));
  if (!content) return { skipped: 'no upload to follow' };
  try {
    let progress = 0;
    const isHeld = (): Promise<boolean> => renewIngestion(ctx, content.id, leaseOwner, progress);
    return await underLease(run, isHeld, (signal, renewNow) =>
      withTemporaryFolder(ctx.config, (folder) => {
        const writeProgress = atMostEvery(progressEveryMs, renewNow);
        const onProgress = (share: number): void => {
          progress = share;
          writeProgress();
          run.reportProgress(share * 100);
        };
        return follow({ run, content, leaseOwner, folder, signal, onProgress, isHeld, onPreparing: () => {} });
      }),
    );
  } catch (error) {
    await reclaimAfterFailure(error, () => renewIngestion(ctx, content.id, leaseOwner)).catch(async (lost: unknown) => {
      if (lost instanceof LeaseLostError) await removeLeftovers(ctx, content, frameThumbnailId(content));
      throw lost;
    });
    const { message: detail } = error as Error;
    await releaseIngestion(ctx, content.id, leaseOwner, { detail, returned: true });
    if (error instanceof ArrivalStoppedError) return { stopped: detail };
    throw error;
  }
}

/**
 * Follows an upload for a time slice. It continues to the end, unless sources of other owners are waiting and the upload is slow or
 * not the only running one of its owner.
 */
async function follow(attempt: IngestionAttempt): Promise<object> {
  const { run, content } = attempt;
  const { ctx, log } = run;
  const seconds = ctx.config.limit(followSliceSeconds);
  const file = await ArrivingFile.open(ctx, content, attempt.signal);
  if (!file) return awaitCompleteFile(attempt, 'the upload is gone');
  const rate = new ArrivalRate(await file.arrivedBytes());
  const shouldEnd = async (): Promise<boolean> => {
    const isFast = rate.bytesPerSecond(await file.arrivedBytes()) >= fastBytesPerSecond;
    const { othersWait, ownRunning, ownNewer } = await competingSources(ctx, content);
    // The newest upload of an owner has priority, because one slot may suffice.
    return othersWait && ownNewer === 0 && (!isFast || ownRunning > 0);
  };
  return inTimeSlice({ seconds, shouldEnd, log }, async (sliceEnd) => {
    try {
      return await followSlice({ ...attempt, signal: AbortSignal.any([attempt.signal, sliceEnd]) });
    } catch (error) {
      if (!sliceEnd.aborted || attempt.signal.aborted) throw error;
      return awaitCompleteFile(attempt, 'others wait');
    }
  });
}

async function followSlice(attempt: IngestionAttempt): Promise<object> {
  const { run, content, leaseOwner, signal } = attempt;
  const { ctx } = run;
  const file = await ArrivingFile.open(ctx, content, signal);
  if (!file) return awaitCompleteFile(attempt, 'the upload is gone');
  if (isPoison(content)) return awaitCompleteFile(attempt, `ingestion has begun ${content.attempt} times`);
  if ((await file.remainingSeconds()) < ctx.config.limit(quickArrivalSeconds))
    return awaitCompleteFile(attempt, 'the upload ends within seconds');
  const beginning = await beginningOf(rangeReaderOf(file));
  if (!beginning) return awaitCompleteFile(attempt, 'no index at the beginning');
  const copied = await copySource({ ...attempt, arriving: file });
  if ('refusal' in copied) return awaitCompleteFile(attempt, `${copied.refusal} ${copied.detail ?? ''}`.trim());
  if (!(await isUnchanged(completeFileReader(attempt, await file.untilComplete()), beginning)))
    return awaitCompleteFile(attempt, 'the complete file differs from its beginning');
  // Concurrent uploads are accepted before any of them counts towards the plan; `content.ingest` notifies the owner.
  if ((await mediaAllowanceOf(ctx, content.ownerId)) === 'REFUSED')
    return awaitCompleteFile(attempt, 'the media minutes of the plan are far exceeded');
  if (!(await commitCopied(ctx, content, leaseOwner, copied)))
    throw new LeaseLostError('the lease was lost before the copy was committed');
  return { copied: copied.chunks.length };
}

/** The index at the beginning of a file: the `moov` box of an MP4. Null for a file whose index grows. */
interface Beginning {
  readonly moov: Buffer | null;
}

/** Null if only the complete file can be processed. */
async function beginningOf(reader: RangeReader): Promise<Beginning | null> {
  const first = await reader.read(0, Math.min(beginningBytes, reader.bytes));
  if (hasGrowingIndex(first)) return { moov: null };
  const movie = await readMovieBox(reader, { isArriving: true });
  return movie?.box ? { moov: movie.box } : null;
}

/** Whether the index grows with the file: Matroska, FLV and transport streams. */
function hasGrowingIndex(first: Buffer): boolean {
  const isTransport = transportPackets.some(({ bytes, syncAt }) =>
    [0, 1, 2].every((packet) => first[packet * bytes + syncAt] === transportSync),
  );
  return isTransport || streamableSignatures.some((signature) => first.subarray(0, signature.length).equals(signature));
}

/** Boxes after the media may contradict the index at the beginning. */
async function isUnchanged(file: RangeReader, { moov }: Beginning): Promise<boolean> {
  if (!moov) return true;
  if (isFragmented(moov)) return (await readMovieBox(file, { isArriving: true }))?.box?.equals(moov) ?? false;
  const last = await readMovieBox(file);
  return last?.box?.equals(moov) === true && !last.isTruncated;
}

/** Removes the copied files, and leaves the content to be processed after its upload. */
async function awaitCompleteFile({ run, content, leaseOwner }: IngestionAttempt, detail: string): Promise<object> {
  run.log.info({ contentId: content.id, contentAttempt: content.attempt, detail }, 'source not followed');
  await discardCopiedFiles(run.ctx, content, leaseOwner);
  await awaitArrival(run.ctx, content.id, leaseOwner, detail);
  return { awaited: detail };
}

function completeFileReader({ run, content }: { run: JobRun<unknown>; content: Content }, bytes: number): RangeReader {
  return rangeReaderOf({ bytes, read: (range) => run.ctx.storage.read(content.sourceKey, range) });
}
