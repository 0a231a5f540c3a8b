import type { Initialisation } from '../../../shared/media/mp4/fragmentReader.js';
import type { MediaRun } from '../../media/runner.js';
import type { WorkerContext } from '../../runtime/workerContext.js';
import { copyCommand } from './copyCommand.js';
import { SegmentDivider, type CopiedSegment } from './copiedSegments.js';
import { AudioNotPlainError } from './copyRefusal.js';
import type { CopyableSource } from './openSource.js';

/** Takes segments that are complete and checked; while it is pending, ffmpeg waits. */
export type TakeSegments = (segments: readonly CopiedSegment[], initialisation: Initialisation | null) => Promise<void>;

/**
 * Copies a source into the segments of its index. `folder`: where ffmpeg runs. Audio that turns out to be AAC that not every player
 * can play is encoded. Throws CopyError where the copy differs from the index, and MediaError where ffmpeg fails.
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
    await copyOnce(ctx, folder, { ...copyable, audio: 'encoded' }, run, take);
  }
}

async function copyOnce(
  ctx: WorkerContext,
  folder: string,
  { source, streams, audio, index }: CopyableSource,
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
      const segments = divider.push(data);
      return segments.length > 0 ? take(segments, divider.initialisation) : undefined;
    },
  });
  divider.finish();
}
