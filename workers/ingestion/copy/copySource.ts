import type { SourceChapters } from '../../../shared/content/chapters.js';
import { describedTracks, undescribedTrack, audioTrackName } from '../../../shared/content/audioTracks.js';
import type { StoredImage } from '../../../shared/content/thumbnail.service.js';
import { frameRateWithin } from '../../../shared/media/frameRate.js';
import { audioBits } from '../../../shared/media/audioPackets.js';
import {
  mayHaveCaptions,
  videoFrame,
  MediaFault,
  MediaError,
  type MediaSource,
  type MediaRun,
} from '../../media/index.js';
import { readSourceChapters } from '../sourceChapters.js';
import { allAtOnce } from '../../runtime/allAtOnce.js';
import type { Copied } from '../commitCopied.js';
import type { IngestionAttempt } from '../ingestionAttempt.js';
import { planVideo, type MeasuredVideo } from '../planVideo.js';
import { storeThumbnail } from '../storeMedia.js';
import { CopyError, type NotCopied } from './copyRefusal.js';
import { copySourceSegments } from './copySourceSegments.js';
import { withCopyableSource, type CopyableSource } from './openSource.js';
import type { VideoIndex } from './packetIndex.js';
import { CopyStore, type CopiedRendition, type StoredCopy } from './storeCopy.js';

/** Above the chunk encoders: a copy is short, and its owner is waiting. */
const niceness = 5;

/** The members of an attempt that a copy uses. */
type CopyAttempt = Pick<
  IngestionAttempt,
  'run' | 'content' | 'arriving' | 'folder' | 'signal' | 'isHeld' | 'onProgress'
>;

/**
 * Creates the quick generation of a content by copying its source without decoding. Resolves with the reason if that is not
 * possible: the source cannot be copied (`copyable.ts`), the copy differs from its index, or a tool fails. The source may be
 * processable nevertheless. Rejects with LeaseLostError, and with errors that the source did not cause.
 */
export async function copySource(attempt: CopyAttempt): Promise<Copied | NotCopied> {
  const { run, content, arriving } = attempt;
  // The copy is as fast as the upload: `ArrivingFile` itself stops an upload that is too slow.
  const media = { signal: attempt.signal, niceness, ...(arriving ? { stallSeconds: Infinity } : {}) };
  try {
    return await withCopyableSource(run.ctx, content, media, (copyable) => copy(attempt, copyable, media), arriving);
  } catch (error) {
    if (attempt.signal.aborted) throw error;
    if (error instanceof CopyError) return { refusal: error.refusal, detail: error.message };
    if (error instanceof MediaError || error instanceof MediaFault) return { refusal: 'copy', detail: error.message };
    throw error;
  }
}

async function copy(attempt: CopyAttempt, copyable: CopyableSource, media: MediaRun): Promise<Copied> {
  const { video } = copyable.streams;
  const index = copyable.index.video;
  const { width, height } = video.coded;
  const name = `${Math.min(width, height)}p`;
  const { audio: stream } = copyable.streams;
  const described = describedTracks(copyable.description.audioStreams, copyable.description.audio?.trackId);
  const track = described.find(({ trackId }) => trackId === stream?.trackId) ?? undescribedTrack;
  const { trackId, language, label } = track;
  const channels = copyable.audio === 'copied' ? track.channels : undescribedTrack.channels;
  const rendition = {
    name,
    width,
    height,
    index,
    audio: { name: audioTrackName('audio', trackId), language, label, channels },
  };
  type Stored = [StoredCopy, StoredImage, SourceChapters | null];
  const [{ chunk, ...stored }, thumbnail, chapters] = await allAtOnce<Stored>(media.signal, (signal) => [
    storeSegments(attempt, copyable, rendition, { ...media, signal }),
    withCompleteSource(copyable, (source) => storeFrame(attempt, copyable, source, { ...media, signal })),
    withCompleteSource(copyable, (source) => chaptersIn(attempt, copyable, source, { ...media, signal })),
  ]);
  return {
    ...stored,
    chunks: [chunk],
    renditions: [{ name, width, height, videoBits: bitsOf(index), audioBits }],
    durationMs: Math.round(index.durationSeconds * 1000),
    ...{ thumbnail, width: video.width, height: video.height },
    hasVideo: true,
    hasAudio: copyable.audio !== 'silence',
    chapters,
    audioTracks: described,
    mayHaveCaptions: mayHaveCaptions(copyable.description),
    // Only decoding finds this out, in the full generation.
    missingEndSeconds: 0,
    mediaSeconds: planVideo(video, measured(index)).mediaSeconds,
  };
}

/** Copies the segments and stores them. */
async function storeSegments(
  { run: { ctx }, content, folder, isHeld, onProgress }: CopyAttempt,
  copyable: CopyableSource,
  rendition: CopiedRendition,
  media: MediaRun,
): Promise<StoredCopy> {
  const { segments: planned } = rendition.index;
  const copyStore = new CopyStore(ctx, content, rendition, media, isHeld);
  try {
    await copySourceSegments(ctx, folder, copyable, media, async (segments, initialisation) => {
      await copyStore.add(segments, initialisation);
      onProgress(((segments.at(-1)?.number ?? 0) + 1) / planned.length);
    });
    return await copyStore.finish();
  } finally {
    await copyStore.ended();
  }
}

/** Waits for the complete source if its index grows: the frame is chosen among all keyframes, and chapters may be at the end. */
function withCompleteSource<Result>(
  { partial, source }: CopyableSource,
  work: (source: MediaSource) => Promise<Result>,
): Promise<Result> {
  return partial ? partial.withComplete(work) : work(source);
}

async function chaptersIn(
  { run: { ctx }, content }: CopyAttempt,
  { description: { demuxer }, index }: CopyableSource,
  source: MediaSource,
  media: MediaRun,
): Promise<SourceChapters | null> {
  if (content.chapters !== null) return null;
  const { startSeconds } = index;
  const { durationSeconds } = index.video;
  return readSourceChapters(ctx.media.runner, source, { demuxer, startSeconds, durationSeconds }, media);
}

async function storeFrame(
  { run: { ctx }, content, folder }: CopyAttempt,
  { description, index }: CopyableSource,
  source: MediaSource,
  media: MediaRun,
) {
  const { mediaThreads: threads } = ctx.config.worker;
  const { startSeconds } = index;
  const { durationSeconds, keyframeSeconds } = index.video;
  const timeline = {
    startSeconds,
    endSeconds: startSeconds + durationSeconds,
    keyframeSeconds: keyframeSeconds.map((seconds) => startSeconds + seconds),
  };
  const frame = { source, description, threads, maxPixels: ctx.config.media.maxPixels };
  const image = await videoFrame(ctx.media.runner, folder, frame, timeline, media);
  return storeThumbnail({ ctx, content, run: media }, image);
}

function bitsOf({ bytes, durationSeconds }: VideoIndex): number {
  return Math.round((bytes * 8) / durationSeconds);
}

function measured(index: VideoIndex): MeasuredVideo {
  const { durationSeconds: seconds, frames: packets } = index;
  const { framesPerSecond, isConstant } = index.pace;
  const frameRate = frameRateWithin(framesPerSecond, { packets, seconds, isConstant });
  return { seconds, framesPerSecond, frameRate, bits: bitsOf(index) };
}
