import type { Initialisation } from '../../../shared/media/mp4/index.js';
import type { MediaRun } from '../../media/index.js';
import type { WorkerContext } from '../../runtime/workerContext.js';
import { copyCommand } from './copyCommand.js';
import { SegmentDivider, type CopiedSegment } from './copiedSegments.js';
import { AudioNotPlainError, CopyError } from './copyRefusal.js';
import type { CopyableSource } from './openSource.js';

/** Of what ffmpeg writes of a source that still arrives. */
const sliceBytes = 8 * 1024;

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
    // How encoded audio ends is not known yet.
    if (copyable.growing) throw new CopyError(error.message);
    await copyOnce(ctx, folder, { ...copyable, audio: 'encoded' }, run, take);
  }
}

async function copyOnce(
  ctx: WorkerContext,
  folder: string,
  { source, streams, audio, index, growing }: CopyableSource,
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
      if (growing) return takeKnown(data);
      const segments = divider.push(data);
      return segments.length > 0 ? take(segments, divider.initialisation) : undefined;
    },
  });
  await growing?.whole;
  divider.finish();

  /** Hands over what belongs to segments that are known. A slice is too short to have the frames of two more. */
  async function takeKnown(data: Buffer): Promise<void> {
    for (let at = 0; at < data.length; at += sliceBytes) {
      await growing?.until(divider.number + 2);
      const segments = divider.push(data.subarray(at, at + sliceBytes));
      if (segments.length > 0) await take(segments, divider.initialisation);
    }
  }
}
