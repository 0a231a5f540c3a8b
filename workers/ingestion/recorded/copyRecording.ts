import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { undescribedTrack } from '../../../shared/content/audioTracks.js';
import { frameRateFor, type FrameRate } from '../../../shared/media/frameRate.js';
import type { Content } from '../../../shared/content/content.model.js';
import { audioBits } from '../../../shared/media/audioPackets.js';
import type { PlaylistOptions } from '../../../shared/content/playlists.js';
import { generationFolder, previewFolder } from '../../../shared/content/storageKeys.js';
import { recordedSegments, recordedLiveSessions, recordingOfContent } from '../../../shared/live/recording.queries.js';
import { NotFoundError } from '../../../shared/platform/errors.js';
import { liveSegmentSeconds } from '../../../shared/media/segmentSeconds.js';
import {
  fileSource,
  videoFrame,
  MediaFault,
  probe,
  MediaError,
  readSourceTimeline,
  type FrameImage,
  type VideoStream,
} from '../../media/index.js';
import { DamagedMediaError } from '../../../shared/media/mp4/index.js';
import { writePlaylists } from '../../content/writePlaylists.js';
import type { JobRun } from '../../runtime/jobTypes.js';
import type { Copied } from '../commitCopied.js';
import { CopyError, type NotCopied } from '../copy/copyRefusal.js';
import type { IngestionAttempt } from '../ingestionAttempt.js';
import { planVideo } from '../planVideo.js';
import { storeThumbnail } from '../storeMedia.js';
import { checkStored, copyPreview, copyRecordedSegments } from './copyRecordedSegments.js';
import { readAll, type SegmentCopy } from './segmentCopy.js';
import {
  bytesOf,
  chunkOf,
  frameSegmentsOf,
  playlistAudio,
  playlistRenditions,
  secondsOfSections,
  segmentPath,
  type Section,
} from './sections.js';

/** The members of an attempt that a copy uses. */
type CopyAttempt = Pick<IngestionAttempt, 'run' | 'content' | 'folder' | 'signal'>;

/**
 * Creates the quick generation of a recording from its live segments, in all their renditions and without encoding. Resolves with
 * the reason if that is not possible: the event was deleted or moved, or a segment is missing or damaged. The recording is then
 * encoded like any other content.
 */
export async function copyRecording(attempt: CopyAttempt): Promise<Copied | NotCopied> {
  try {
    return await copyFrom(attempt);
  } catch (error) {
    attempt.signal.throwIfAborted();
    if (!isFault(error)) throw error;
    return { refusal: 'segments', detail: error.message };
  }
}

/** Whether a further attempt could fail in the same way. */
function isFault(error: unknown): error is Error {
  const faults = [CopyError, NotFoundError, DamagedMediaError, MediaFault, MediaError];
  return faults.some((fault) => error instanceof fault);
}

async function copyFrom(attempt: CopyAttempt): Promise<Copied | NotCopied> {
  const { run, content } = attempt;
  const { ctx } = run;
  const recording = await recordingOfContent(ctx, content.id);
  if (!recording) return { refusal: 'noRecording' };
  const total = (await recordedLiveSessions(ctx, recording)).reduce((sum, { segments }) => sum + segments, 0);
  if (total === 0) return { refusal: 'noSegments' };
  const copy = { ctx, content, signal: attempt.signal };
  const sections = await copyRecordedSegments(copy, recordedSegments(ctx, recording), progressOf(run, total));
  const preview = await copyPreview(copy, sections);
  await checkStored(copy, sections, preview);
  const frame = await frameOf(attempt, sections);
  const hasAudio = sections.some(({ hasAudio: has }) => has);
  const playlistBytes = await storePlaylists(copy, { sections, preview, frameRate: frame.frameRate });
  const seconds = secondsOfSections(sections);
  const renditions = playlistRenditions(sections).map(({ name, width, height, segments }) => {
    const bits = (segments.reduce((sum, { bytes }) => sum + bytes, 0) * 8) / seconds;
    return { name, width, height, audioBits, videoBits: Math.max(1, Math.round(bits)) };
  });
  const { width, height } = frame.video;
  return {
    durationMs: Math.round(seconds * 1000),
    thumbnail: frame.thumbnail,
    width,
    height,
    hasVideo: true,
    hasAudio,
    audioTracks: hasAudio ? [undescribedTrack] : [],
    // Closed captions that the encoder has sent in its video.
    mayHaveCaptions: true,
    chapters: null,
    missingEndSeconds: 0,
    renditions,
    chunks: sections.map(chunkOf),
    bytes: bytesOf(sections) + bytesOf(preview) + playlistBytes,
    mediaSeconds: planVideo(frame.video, { ...frame, seconds, bits: null }).mediaSeconds,
  };
}

/** Reports the progress in steps of ten percent. */
function progressOf(run: JobRun<unknown>, total: number): (segments: number) => void {
  let reported = 0;
  return (segments) => {
    const percent = Math.min(90, Math.floor((segments * 90) / total));
    if (percent < reported + 10) return;
    reported = percent;
    run.reportProgress(percent);
  };
}

/** Resolves with the bytes written. */
async function storePlaylists(
  { ctx, content, signal }: SegmentCopy,
  stored: {
    readonly sections: readonly Section[];
    readonly preview: readonly Section[];
    readonly frameRate: FrameRate;
  },
): Promise<number> {
  const { frameRate } = stored;
  const { generation, attempt } = content;
  // No live segment is longer, rounded to seconds.
  const complete: PlaylistOptions = { state: 'complete', attempt, targetSeconds: liveSegmentSeconds };
  const write = (folder: string, sections: readonly Section[]): Promise<number> => {
    const tracks = { renditions: playlistRenditions(sections), audio: [playlistAudio(sections)], frameRate };
    return writePlaylists(ctx, { folder, ...tracks }, complete, signal);
  };
  const bytes = await write(previewFolder(content, generation), stored.preview);
  return bytes + (await write(generationFolder(content, generation), stored.sections));
}

interface RecordedFrame {
  readonly thumbnail: Copied['thumbnail'];
  readonly video: VideoStream;
  readonly framesPerSecond: number;
  readonly frameRate: FrameRate;
}

/** A representative frame and the video description, from some segments in the highest rendition. */
async function frameOf(
  { run: { ctx }, content, folder, signal }: CopyAttempt,
  sections: readonly Section[],
): Promise<RecordedFrame> {
  const { runner } = ctx.media;
  const { media, worker } = ctx.config;
  const path = await joinSample(ctx, content, join(folder, 'sample.mp4'), sections);
  const description = await probe(runner, path, media, signal);
  const { video, demuxer } = description;
  if (!video) throw new CopyError('segments without video', 'segments');
  const timeline = await readSourceTimeline(
    runner,
    { path, demuxer, stream: video.index, timeBase: video.timeBase },
    { ...media, maxDurationSeconds: Number.POSITIVE_INFINITY },
    signal,
  );
  const run = { signal };
  const source = {
    source: fileSource(path),
    description,
    threads: worker.mediaThreads,
    maxPixels: media.maxPixels,
  };
  const image: FrameImage = await videoFrame(runner, folder, source, timeline, run);
  const thumbnail = await storeThumbnail({ ctx, content, run }, image);
  const { framesPerSecond, isConstant } = timeline;
  return { thumbnail, video, framesPerSecond, frameRate: frameRateFor(framesPerSecond, isConstant) };
}

async function joinSample(
  ctx: JobRun<unknown>['ctx'],
  content: Content,
  path: string,
  sections: readonly Section[],
): Promise<string> {
  const { section, segments } = frameSegmentsOf(sections);
  const [highest] = section.renditions;
  if (!highest) throw new CopyError('segments without renditions', 'segments');
  const paths = [highest.map.key, ...segments.map((segment) => segmentPath(section, highest.name, segment))];
  const file = await open(path, 'w');
  try {
    for (const stored of paths)
      await file.appendFile(await readAll(ctx, `${generationFolder(content, content.generation)}/${stored}`));
  } finally {
    await file.close();
  }
  return path;
}
