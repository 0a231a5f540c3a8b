import { randomUUID } from 'node:crypto';
import type { ContentPayload } from '../../shared/content/content.jobs.js';
import type { Content } from '../../shared/content/content.model.js';
import { findContent } from '../../shared/content/content.queries.js';
import { claimIngestion, releaseIngestion, renewIngestion } from '../../shared/content/ingestion.lifecycle.js';
import { mediaAllowanceOf, recordMediaSeconds } from '../../shared/license/mediaMinutes.service.js';
import { countedAttempts, isLastCounted, isPoison, isReturned } from '../media/attempts.js';
import { failContent } from '../media/failContent.js';
import { atMostEvery, progressEveryMs } from '../media/atMostEvery.js';
import { claimWork, keepAfterFailure, LeaseLostError, newLeaseOwner, underLease } from '../../shared/platform/lease.js';
import { removeLeftovers } from '../media/leftovers.js';
import { MediaFault } from '../media/mediaFault.js';
import { MediaError } from '../media/runner.js';
import { withTemporaryFolder } from '../media/temporaryFolders.js';
import { PermanentJobError, type ExhaustedRun, type JobRun } from '../runtime/jobTypes.js';
import { commitCopied, type Copied } from './commitCopied.js';
import { commitPlan } from './commitPlan.js';
import { copySource, type CopyJob } from './copy/copySource.js';
import { discardCopiedFiles } from './discardCopiedFiles.js';
import { prepareSource } from './prepareSource.js';
import { copyRecording } from './recorded/copyRecording.js';
import { frameThumbnailId } from './storeMedia.js';

const lostWorkRenditions = 5;
/** After so many attempts to copy that have ended without a result, the content is encoded. */
const mostCopyAttempts = 3;

/**
 * `content.ingest`, `content.ingestFully`: probes the uploaded file and plans the processing of its newest generation. A quick
 * generation that can be copied is made here, whole. A file that cannot be processed makes the content FAILED with a reason for
 * its owner; the job itself has then succeeded.
 */
export async function ingestContentHandler(run: JobRun<ContentPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const owner = newLeaseOwner();
  const content = await claimWork(run, () => claimIngestion(ctx, payload.contentId, owner));
  if (!content) return { skipped: 'nothing to ingest' };
  if (isPoison(content))
    return failed(run, content, 'content.failure.internal', `ingestion has begun ${content.attempt} times`);
  // Uploads at the same time are accepted before any of them counts.
  if (!content.mediaCounted && (await mediaAllowanceOf(ctx, content.ownerId)) === 'REFUSED')
    return failed(run, content, 'content.failure.mediaMinutes', 'far beyond the media minutes of the plan');
  let preparingSince = performance.now();
  try {
    let progress = 0;
    return await underLease(
      run,
      () => renewIngestion(ctx, content.id, owner, progress),
      (signal, renewNow) =>
        withTemporaryFolder(ctx.config, async (folder) => {
          const writeProgress = atMostEvery(progressEveryMs, renewNow);
          const onProgress = (share: number): void => {
            progress = share;
            writeProgress();
            run.reportProgress(share * 100);
          };
          const given = { folder, signal, leaseOwner: owner, onProgress };
          const copied = content.quick ? await copyQuickly(run, content, given) : null;
          if (copied) {
            if (await commitCopied(ctx, content, owner, copied)) return { copied: copied.chunks.length };
            throw new LeaseLostError('the lease was lost before the copy was committed');
          }
          progress = 0;
          preparingSince = performance.now();
          const prepared = await prepareSource(run, content, { folder, signal, attemptId: randomUUID() });
          const planned = await commitPlan(ctx, content, owner, prepared);
          if (planned) return { chunks: prepared.plan.chunkCount };
          throw new LeaseLostError('the lease was lost before the plan was written');
        }),
    );
  } catch (error) {
    await keepAfterFailure(error, () => renewIngestion(ctx, content.id, owner)).catch(async (lost: unknown) => {
      if (lost instanceof LeaseLostError) await removeLeftovers(ctx, content, frameThumbnailId(content));
      throw lost;
    });
    if (error instanceof MediaFault || (error instanceof MediaError && !run.signal.aborted))
      await countLostWork(run, content, (performance.now() - preparingSince) / 1000);
    if (error instanceof MediaFault) return failed(run, content, error.key, error.message);
    const { message: detail } = error as Error;
    await releaseIngestion(ctx, content.id, owner, { detail, returned: isReturned(run, error as Error) });
    if (error instanceof MediaError && run.isLastAttempt && !run.signal.aborted) {
      return failed(run, content, 'content.failure.unreadable', error.message);
    }
    throw error;
  }
}

/** Makes the quick generation by copying. Null where that is not possible: it is encoded. */
async function copyQuickly(
  run: JobRun<ContentPayload>,
  content: Content,
  given: Pick<CopyJob, 'folder' | 'signal' | 'leaseOwner' | 'onProgress'>,
): Promise<Copied | null> {
  if (content.sourceBytes === 0) return null;
  if (countedAttempts(content) > mostCopyAttempts) {
    run.log.info({ contentId: content.id, attempt: content.attempt }, 'content not copied after several attempts');
    await discardCopiedFiles(run.ctx, content, given.leaseOwner);
    return null;
  }
  return content.recorded ? copyRecording(run, content, given) : copySource({ run, content, ...given });
}

/** Work on a file that cannot be processed counts by its time, as media that are encoded in five renditions meanwhile. */
async function countLostWork({ ctx }: JobRun<ContentPayload>, content: Content, seconds: number): Promise<void> {
  if (content.mediaCounted) return;
  await ctx.db.transaction((tx) => recordMediaSeconds(ctx, tx, content.ownerId, seconds * lostWorkRenditions));
}

async function failed(run: JobRun<ContentPayload>, content: Content, key: string, detail: string): Promise<unknown> {
  await failContent(run.ctx, { contentId: content.id, generation: content.generation }, { key, detail });
  run.log.warn({ contentId: content.id, key, detail }, 'content failed');
  return { failed: key, detail };
}

/**
 * No attempt is left, and the file was not at fault: a sweep queues the content again later. A content whose ingestion has
 * begun too often, or whose workers have crashed, fails.
 */
export async function ingestExhausted({ ctx, payload, error }: ExhaustedRun<ContentPayload>): Promise<void> {
  const content = await findContent(ctx, payload.contentId);
  if (content?.plan !== null) return;
  if (!(error instanceof PermanentJobError) && !isLastCounted(content)) return;
  await failContent(
    ctx,
    { contentId: content.id, generation: content.generation },
    { key: 'content.failure.internal', detail: error.message },
  );
}
