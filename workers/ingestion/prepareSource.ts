import { planGrid, type Grid } from '../../shared/media/grid.js';
import { frameRateFor, frameRateWithin, secondsOfFrames, type FrameRate } from '../../shared/media/frameRate.js';
import { audioSampleRate, samplesPerPacket } from '../../shared/media/audioPackets.js';
import { describedTracks, type ContentAudio } from '../../shared/content/audioTracks.js';
import type { Content } from '../../shared/content/content.model.js';
import { hasSeveralRenditions, planLadder, quickLadder } from '../../shared/content/ladder.js';
import { mediaSecondsOf } from '../../shared/content/mediaSeconds.js';
import { processingFolder } from '../../shared/content/storageKeys.js';
import type { ContentPlan, PlannedCopy, PlannedRendition, PlannedSource } from '../../shared/content/plan.js';
import type { StoredImage } from '../../shared/content/thumbnail.service.js';
import type { EncodedAudio } from '../media/audio.js';
import { missingEndSeconds } from '../media/declaredEnd.js';
import { fileSource } from '../media/demuxers.js';
import { MediaFault } from '../media/mediaFault.js';
import { videoFrame, audioPoster, stillHeight, stillWidth, type FrameSource } from '../media/frame.js';
import { leadingAudioSeconds } from '../media/contentStart.js';
import { probe, type ProbedSource, type VideoStream } from '../media/probe.js';
import { readSourceTimeline, type SourceTimeline } from '../media/sourceTimeline.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { copiedRung } from './copiedRung.js';
import { joinFileSections } from './joinFileSections.js';
import { movieEnds } from './movieEnds.js';
import { audioTailSeconds, framesIn, planVideo } from './planVideo.js';
import { seekableSource, audioOf, storeThumbnail, storeAudio, type IngestContext } from './storeMedia.js';

/** An event lasts 24 hours at most; its first and last segments may begin before it and end after it. */
const longestRecordingSeconds = 24 * 3600 + 60;
const stillFrameRate: FrameRate = [2, 1];

/** Everything that ingestion has found out and stored; `commitPlan` writes it to the rows. */
export interface Prepared {
  readonly plan: ContentPlan;
  readonly thumbnail: StoredImage;
  readonly width: number | null;
  readonly height: number | null;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  readonly audioTracks: readonly ContentAudio[];
  /** What the container declares and could not be read, at the end of the video or of its audio. 0: nothing is missing. */
  readonly missingEndSeconds: number;
  readonly hasSubtitles: boolean;
  /** `mediaSecondsOf`, with all renditions. */
  readonly mediaSeconds: number;
  /** The plan has one rendition of several, and a full generation follows. */
  readonly quick: boolean;
}

/** Probes and plans the source, and stores a thumbnail, the audio, and where needed a seekable copy. Throws MediaFault. */
export async function prepareSource(
  job: JobRun<unknown>,
  content: Content,
  given: { readonly folder: string; readonly signal: AbortSignal; readonly attemptId: string },
): Promise<Prepared> {
  const { ctx } = job;
  if (content.sourceBytes === 0) throw new MediaFault('content.failure.empty', 'no bytes');
  return ctx.media.sources.use(content.sourceKey, given.signal, async (path) => {
    const { media } = ctx.config;
    const ingested: IngestContext = {
      ctx,
      content,
      limits: content.recorded ? { ...media, maximumDurationSeconds: longestOf(media) } : media,
      folder: given.folder,
      storeFolder: `${processingFolder(content, content.generation)}/${given.attemptId}`,
      path,
      isJoined: false,
      run: { signal: given.signal },
    };
    const { description, ...source } = await joinFileSections(
      ingested,
      await probe(ctx.media.runner, path, media, given.signal),
    );
    const ingest = { ...ingested, ...source };
    job.reportProgress(10);
    const prepared = await (description.video
      ? prepareVideo(ingest, description, description.video)
      : prepareAudio(ingest, description));
    job.reportProgress(100);
    return prepared;
  });
}

async function prepareVideo(ingest: IngestContext, description: ProbedSource, video: VideoStream): Promise<Prepared> {
  const { ctx, path, limits, run } = ingest;
  const { runner } = ctx.media;
  const timeline = await readSourceTimeline(
    runner,
    { path, demuxer: description.demuxer, stream: video.index, timeBase: video.timeBase },
    limits,
    run.signal,
  );
  const originSeconds = originOf(description, timeline, frameRateFor(timeline.framesPerSecond));
  const videoSeconds = timeline.endSeconds - originSeconds;
  // Before the audio is encoded: silence is encoded where audio and video are far from each other.
  checkLength(videoSeconds, limits.maximumDurationSeconds);
  const quick = ingest.content.quick && hasSeveralRenditions(video);
  const tracks = await audioOf(ingest, description, { originSeconds, quick });
  const audio = tracks[0]?.encoded ?? null;
  const seconds = secondsWith(videoSeconds, audio);
  checkLength(seconds, limits.maximumDurationSeconds);
  const frameRate = frameRateWithin(timeline.framesPerSecond, { packets: timeline.packets, seconds });
  const { framesPerSecond, bits } = timeline;
  const { frameCount, ladder, mediaSeconds } = planVideo(video, { seconds, framesPerSecond, frameRate, bits });
  const frame = await videoFrame(runner, ingest.folder, frameSource(ingest, description), timeline, run);
  const opening = await seekableSource(ingest, description, video, timeline);
  const grid = planGrid({
    frameRate,
    frameCount,
    chunkSeconds: opening.seekable ? limits.chunkSeconds : 'whole',
    quick,
  });
  const source: PlannedSource = {
    ...opening,
    originSeconds: opening.seekable ? originSeconds : originSeconds - timeline.startSeconds,
    still: false,
    interlaced: video.interlaced,
    highDynamicRange: frame.toneMapped ? video.highDynamicRange : null,
  };
  const copied = quick ? null : await copiedRung(ctx, ingest.content, { ...grid, ladder }, run.signal);
  return {
    plan: {
      ...planOf(grid),
      renditions: quick ? quickLadder(ladder) : withCopied(ladder, copied),
      source,
      audio: await storeAudio(ingest, grid, tracks),
      ...(copied ? { copied } : {}),
    },
    thumbnail: await storeThumbnail(ingest, frame),
    width: video.width,
    height: video.height,
    hasVideo: true,
    hasAudio: audio !== null,
    audioTracks: describedTracks(description.audioStreams),
    hasSubtitles: description.subtitles.length > 0,
    missingEndSeconds: missingEndSeconds(await movieEnds(path, description), {
      video: timeline.lastPacketEndSeconds,
      audio: audioEnd(description, originSeconds, audio),
    }),
    mediaSeconds,
    quick,
  };
}

/** Audio without video becomes a video of one still image. */
async function prepareAudio(ingest: IngestContext, description: ProbedSource): Promise<Prepared> {
  const { ctx, run } = ingest;
  const { quick } = ingest.content;
  const originSeconds = description.audio?.startSeconds ?? 0;
  const tracks = await audioOf(ingest, description, { originSeconds, quick });
  const audio = tracks[0]?.encoded;
  if (!audio || audio.packets === 0) throw new MediaFault('content.failure.unreadable', 'no audio can be decoded');
  const seconds = secondsWith(0, audio);
  checkLength(seconds, ingest.limits.maximumDurationSeconds);
  const frameCount = framesIn(seconds, stillFrameRate);
  const frame = await audioPoster(ctx.media.runner, ingest.folder, frameSource(ingest, description), run);
  const thumbnail = await storeThumbnail(ingest, frame);
  const grid = planGrid({ frameRate: stillFrameRate, frameCount, chunkSeconds: ctx.config.media.chunkSeconds });
  const source: PlannedSource = {
    key: thumbnail.storageKey,
    demuxer: 'jpeg_pipe',
    stream: 0,
    originSeconds: 0,
    seekable: false,
    still: true,
    interlaced: false,
    highDynamicRange: null,
  };
  const ladder = planLadder({
    width: stillWidth,
    height: stillHeight,
    codec: 'still',
    bits: null,
    framesPerSecond: stillFrameRate[0],
  });
  return {
    plan: {
      ...planOf(grid),
      renditions: quick ? quickLadder(ladder) : ladder,
      source,
      audio: await storeAudio(ingest, grid, tracks),
    },
    thumbnail,
    width: null,
    height: null,
    hasVideo: false,
    hasAudio: true,
    audioTracks: describedTracks(description.audioStreams),
    hasSubtitles: description.subtitles.length > 0,
    missingEndSeconds: missingEndSeconds(await movieEnds(ingest.path, description), {
      video: Number.NaN,
      audio: audioEnd(description, originSeconds, audio),
    }),
    mediaSeconds: mediaSecondsOf({ ...grid, renditions: ladder }, null),
    quick,
  };
}

/** The ladder, with the bit rate that a copied rendition has. */
function withCopied(ladder: readonly PlannedRendition[], copied: PlannedCopy | null): readonly PlannedRendition[] {
  return ladder.map((one) => (one.name === copied?.name ? { ...one, videoBits: copied.videoBits } : one));
}

function planOf(grid: Grid): Omit<ContentPlan, 'renditions' | 'source' | 'audio'> {
  return {
    ...grid,
    durationMs: Math.round(secondsOfFrames(grid.frameCount, grid.frameRate) * 1000),
  };
}

/**
 * The content begins with its first frame. Where audio begins clearly earlier, it begins a whole number of frames before, so
 * that the frames of the source keep their positions.
 */
function originOf(description: ProbedSource, timeline: SourceTimeline, [rate, scale]: FrameRate): number {
  const lead = description.audio ? timeline.startSeconds - description.audio.startSeconds : 0;
  if (lead < leadingAudioSeconds) return timeline.startSeconds;
  return timeline.startSeconds - (Math.round((lead * rate) / scale) * scale) / rate;
}

/** Until the last frame, or until the end of audio that continues after it. */
function secondsWith(videoSeconds: number, audio: EncodedAudio | null): number {
  const audioSeconds = lengthOf(audio);
  return audioSeconds > videoSeconds + audioTailSeconds ? audioSeconds : videoSeconds;
}

function lengthOf(audio: EncodedAudio | null): number {
  return ((audio?.packets ?? 0) * samplesPerPacket) / audioSampleRate;
}

/** Where the audio of the source ends. One that cannot be decoded at all is missing from its start. NaN: there is none. */
function audioEnd({ audio }: ProbedSource, originSeconds: number, encoded: EncodedAudio | null): number {
  if (!audio) return Number.NaN;
  return encoded ? originSeconds + lengthOf(encoded) : audio.startSeconds;
}

function longestOf({ maximumDurationSeconds }: IngestContext['limits']): number {
  return Math.max(maximumDurationSeconds, longestRecordingSeconds);
}

function checkLength(seconds: number, maximumSeconds: number): void {
  if (seconds > maximumSeconds) throw new MediaFault('content.failure.tooLong', `${seconds} s`);
}

function frameSource({ ctx, path }: IngestContext, description: ProbedSource): FrameSource {
  return {
    source: fileSource(path),
    description,
    threads: ctx.config.worker.mediaThreads,
    maximumPixels: ctx.config.media.maximumPixels,
  };
}
