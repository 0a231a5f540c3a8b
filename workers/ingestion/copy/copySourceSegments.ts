import type { Initialisation } from '../../../shared/media/mp4/index.js';
import type { MediaRun } from '../../media/index.js';
import type { WorkerContext } from '../../runtime/workerContext.js';
import { copyCommand } from './copyCommand.js';
import { SegmentDivider, type CopiedSegment } from './copiedSegments.js';
import { AudioNotPlainError, CopyError } from './copyRefusal.js';
import type { CopyableSource } from './openSource.js';

/** Output of ffmpeg that is divided at once while the source is being uploaded. */
const sliceBytes = 8 * 1024;

/** Called with checked segments; ffmpeg waits while its promise is pending. */
export type TakeSegments = (segments: readonly CopiedSegment[], initialisation: Initialisation | null) => Promise<void>;

/**
 * Copies a source into the segments of its index. `folder`: the working folder of ffmpeg. AAC audio that some players cannot play
 * is encoded. Throws CopyError if the copy differs from the index, and MediaError if ffmpeg fails.
 */
export async function copySourceSegments(
  ctx: WorkerContext,
  folder: string,
  copyable: CopyableSource,
  run: MediaRun,
  take: TakeSegments,
): Promise<void> {
  try {
    await copyOnce(ctx, folder, copyable, run, take);
  } catch (error) {
    if (!(error instanceof AudioNotPlainError) || copyable.audio !== 'copied') throw error;
    // Encoded audio depends on the end of the source, which is unknown.
    if (copyable.partial) throw new CopyError(error.message);
    await copyOnce(ctx, folder, { ...copyable, audio: 'encoded' }, run, take);
  }
}

async function copyOnce(
  ctx: WorkerContext,
  folder: string,
  { source, streams, audio, index, partial }: CopyableSource,
  run: MediaRun,
  take: TakeSegments,
): Promise<void> {
  const divider = new SegmentDivider(index.video, streams.video.coded);
  const { durationSeconds } = index.video;
  const threads = ctx.config.worker.mediaThreads;
  const { startSeconds } = index;
  const command = copyCommand({ folder, source, streams, audio, startSeconds, durationSeconds, threads });
  await ctx.media.runner.stream(command, {
    ...run,
    onData(data) {
      if (partial) return takeKnown(data);
      const segments = divider.push(data);
      return segments.length > 0 ? take(segments, divider.initialisation) : undefined;
    },
  });
  await partial?.complete;
  divider.finish();

  /** Divides the output as far as the index is known. A slice is too short to complete two segments. */
  async function takeKnown(data: Buffer): Promise<void> {
    for (let at = 0; at < data.length; at += sliceBytes) {
      await partial?.until(divider.number + 2);
      const segments = divider.push(data.subarray(at, at + sliceBytes));
      if (segments.length > 0) await take(segments, divider.initialisation);
    }
  }
}
