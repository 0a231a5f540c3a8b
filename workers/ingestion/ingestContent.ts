import type { ContentPayload } from '../../shared/content/content.jobs.js';
import type { Content } from '../../shared/content/content.model.js';
import { findContent } from '../../shared/content/content.queries.js';
import { claimIngestion, releaseIngestion, renewIngestion } from '../../shared/content/ingestion.lifecycle.js';
import { mediaAllowanceOf, recordMediaSeconds } from '../../shared/license/mediaMinutes.service.js';
import { isLastCounted, isPoison, isReturned } from '../runtime/attempts.js';
import { failContent } from '../content/failContent.js';
import { atMostEvery, progressEveryMs } from '../runtime/atMostEvery.js';
import {
  claimWork,
  reclaimAfterFailure,
  LeaseLostError,
  newLeaseOwner,
  underLease,
} from '../../shared/platform/lease/index.js';
import { removeLeftovers } from '../content/leftovers.js';
import { MediaFault, isMediaFailure, MediaError } from '../media/index.js';
import { withTemporaryFolder } from '../runtime/temporaryFolders.js';
import { PermanentJobError, type ExhaustedRun, type JobRun } from '../runtime/jobTypes.js';
import { ingestGeneration } from './ingestGeneration.js';
import { frameThumbnailId } from './storeMedia.js';

const lostWorkRenditions = 5;

/**
 * `content.ingest`, `content.ingestFully`: probes the uploaded file and plans the processing of its newest generation. A quick
 * generation that can be copied is completed here. A file that cannot be processed makes the content FAILED with a reason for its
 * owner; the job itself succeeds.
 */
export async function ingestContentHandler(run: JobRun<ContentPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const owner = newLeaseOwner();
  const content = await claimWork(run, () => claimIngestion(ctx, payload.contentId, owner));
  if (!content) return { skipped: 'nothing to ingest' };
  if (isPoison(content))
    return failed(run, content, 'content.failure.internal', `ingestion has begun ${content.attempt} times`);
  // Concurrent uploads are accepted before any of them counts towards the plan.
  if (!content.mediaCounted && (await mediaAllowanceOf(ctx, content.ownerId)) === 'REFUSED')
    return failed(run, content, 'content.failure.mediaMinutes', 'the media minutes of the plan are far exceeded');
  let preparingSince = performance.now();
  try {
    let progress = 0;
    const isHeld = (): Promise<boolean> => renewIngestion(ctx, content.id, owner, progress);
    return await underLease(run, isHeld, (signal, renewNow) =>
      withTemporaryFolder(ctx.config, async (folder) => {
        const writeProgress = atMostEvery(progressEveryMs, renewNow);
        const onProgress = (share: number): void => {
          progress = share;
          writeProgress();
          run.reportProgress(share * 100);
        };
        return ingestGeneration({
          ...{ run, content, leaseOwner: owner, folder, signal, onProgress, isHeld },
          onPreparing() {
            progress = 0;
            preparingSince = performance.now();
          },
        });
      }),
    );
  } catch (error) {
    await reclaimAfterFailure(error, () => renewIngestion(ctx, content.id, owner)).catch(async (lost: unknown) => {
      if (lost instanceof LeaseLostError) await removeLeftovers(ctx, content, frameThumbnailId(content));
      throw lost;
    });
    if (error instanceof MediaFault || (error instanceof MediaError && !run.signal.aborted))
      await countLostWork(run, content, (performance.now() - preparingSince) / 1000);
    if (error instanceof MediaFault) return failed(run, content, error.key, error.message);
    const { message: detail } = error as Error;
    await releaseIngestion(ctx, content.id, owner, { detail, returned: isReturned(run, error as Error) });
    // A stalled process may be the fault of the machine: the attempt counts, and another one follows.
    if (isMediaFailure(error) && run.isLastAttempt && !run.signal.aborted) {
      return failed(run, content, 'content.failure.unreadable', error.message);
    }
    throw error;
  }
}

/** The time spent on a file that cannot be processed counts as media minutes, in five renditions. `seconds`: that time. */
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
 * Called when no attempt is left and the file was not the cause: a sweep queues the content again later. A content fails if its
 * ingestion has begun too often, or if its workers have crashed.
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
