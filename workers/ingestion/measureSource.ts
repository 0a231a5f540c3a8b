import { describedTracks } from '../../shared/content/audioTracks.js';
import { hasSeveralRenditions, planLadder, quickRendition } from '../../shared/content/ladder.js';
import type { MeasuredSource } from '../../shared/content/measuredSource.js';
import { mediaSecondsOf } from '../../shared/content/mediaSeconds.js';
import type { PlannedAudio, PlannedRendition, PlannedSource } from '../../shared/content/plan.js';
import type { StoredImage } from '../../shared/content/thumbnail.service.js';
import { audioSampleRate, samplesPerPacket } from '../../shared/media/audioPackets.js';
import { frameRateFor, frameRateWithin, type FrameRate } from '../../shared/media/frameRate.js';
import { planGrid, type Grid } from '../../shared/media/grid.js';
import {
  mayHaveCaptions,
  leadingAudioSeconds,
  missingEndSeconds,
  fileSource,
  audioPoster,
  stillHeight,
  stillWidth,
  videoFrame,
  MediaFault,
  probe,
  readSourceTimeline,
  type EncodedAudio,
  type DeclaredEnds,
  type FrameSource,
  type VideoFrame,
  type ProbedSource,
  type VideoStream,
  type SourceTimeline,
} from '../media/index.js';
import { allAtOnce } from '../runtime/allAtOnce.js';
import { joinFileSections } from './joinFileSections.js';
import { movieEnds } from './movieEnds.js';
import { audioTailSeconds, framesIn, hasKeyframesAtSegments, planVideo } from './planVideo.js';
import {
  audioOn,
  encodeAudioTracks,
  leftOutTracks,
  sourceAudioTracksOf,
  storeAudioTracks,
  type EncodedAudioTrack,
} from './audioSources.js';
import { copiedThumbnail, seekableSource, storeThumbnail, type IngestContext } from './storeMedia.js';

const stillImageFrameRate: FrameRate = [2, 1];

/** The members of a quick generation's plan that differ from the full generation. */
export interface QuickPlan {
  readonly grid: Grid;
  readonly renditions: readonly PlannedRendition[];
  readonly audio: readonly PlannedAudio[];
}

/** `quick`: null if there is no quick generation. */
export interface SourceMeasurement extends MeasuredSource {
  readonly quick: QuickPlan | null;
}

/**
 * Reads a source once: its description, index, a frame for the thumbnail, and its audio, which is stored. For a quick generation,
 * only the default audio is encoded. Throws MediaFault.
 */
export async function measureSource(opened: IngestContext, described?: ProbedSource): Promise<SourceMeasurement> {
  const { ctx, path, run } = opened;
  const probed = described ?? (await probe(ctx.media.runner, path, ctx.config.media, run.signal));
  const { description, ...source } = await joinFileSections(opened, probed);
  const ingest = { ...opened, ...source };
  return description.video ? measureVideo(ingest, description, description.video) : measureAudio(ingest, description);
}

async function measureVideo(
  ingest: IngestContext,
  description: ProbedSource,
  video: VideoStream,
): Promise<SourceMeasurement> {
  const { limits, run } = ingest;
  const declared = await movieEnds(ingest.path, description);
  const timeline = await timelineOf(ingest, description, video, declared);
  const originSeconds = originOf(description, timeline, frameRateFor(timeline.framesPerSecond, timeline.isConstant));
  const videoSeconds = timeline.endSeconds - originSeconds;
  // Checked before the audio is encoded, because a gap between audio and video is encoded as silence.
  checkLength(videoSeconds, limits.maxDurationSeconds);
  const quick = ingest.content.quick && hasSeveralRenditions(video);
  const copied = await copiedThumbnail(ingest);
  const [sounds, frame, opening] = await allAtOnce<[SourceAudio, VideoFrame | StoredImage, Opening]>(
    run.signal,
    (signal) => {
      const at = { ...ingest, run: { ...run, signal } };
      return [
        audioTracksIn(at, description, { originSeconds, quick }),
        copied
          ? Promise.resolve(copied)
          : videoFrame(ingest.ctx.media.runner, ingest.folder, frameSource(ingest, description), timeline, at.run),
        seekableSource(at, description, video, timeline),
      ];
    },
  );
  const seconds = secondsWith(videoSeconds, sounds.main);
  checkLength(seconds, limits.maxDurationSeconds);
  const { packets, framesPerSecond, isConstant, bits } = timeline;
  const frameRate = frameRateWithin(framesPerSecond, { packets, seconds, isConstant });
  const { frameCount, ladder, mediaSeconds } = planVideo(video, { seconds, framesPerSecond, frameRate, bits });
  const divided = {
    frameRate,
    frameCount,
    chunkSeconds: opening.seekable ? limits.chunkSeconds : ('unlimited' as const),
  };
  const grid = planGrid(divided);
  const source: PlannedSource = {
    ...opening,
    originSeconds: opening.seekable ? originSeconds : originSeconds - timeline.startSeconds,
    keyframesAtSegments: hasKeyframesAtSegments(grid, { originSeconds, keyframeSeconds: timeline.keyframeSeconds }),
    still: false,
    interlaced: video.mayBeInterlaced,
    highDynamicRange: 'toneMapped' in frame && frame.toneMapped ? video.highDynamicRange : null,
    colours: video.colours,
  };
  return {
    ...(await storedOn(ingest, sounds, { grid, quickGrid: quick ? planGrid({ ...divided, quick }) : null, ladder })),
    ...{ grid, ladder, source, otherAudio: sounds.other },
    facts: {
      thumbnail: 'storageKey' in frame ? frame : await storeThumbnail(ingest, frame),
      width: video.width,
      height: video.height,
      hasVideo: true,
      hasAudio: sounds.main !== null,
      audioTracks: sounds.tracks,
      leftOutAudio: sounds.leftOut,
      mayHaveCaptions: mayHaveCaptions(description),
      missingEndSeconds: missingEndSeconds(withLastPacket(declared, timeline), {
        video: Math.max(timeline.endSeconds, Math.min(originSeconds + seconds, timeline.lastPacketEndSeconds)),
        audio: audioEnd(description, originSeconds, sounds.main),
      }),
      mediaSeconds,
    },
  };
}

/** Measures audio without video, which becomes a video of one still image. */
async function measureAudio(ingest: IngestContext, description: ProbedSource): Promise<SourceMeasurement> {
  const { ctx, run } = ingest;
  const { quick } = ingest.content;
  const originSeconds = description.audio?.startSeconds ?? 0;
  const sounds = await audioTracksIn(ingest, description, { originSeconds, quick });
  if (!sounds.main || sounds.main.packets === 0)
    throw new MediaFault('content.failure.unreadable', 'no audio can be decoded');
  const seconds = secondsWith(0, sounds.main);
  checkLength(seconds, ingest.limits.maxDurationSeconds);
  const frameCount = framesIn(seconds, stillImageFrameRate);
  const frame = await audioPoster(ctx.media.runner, ingest.folder, frameSource(ingest, description), run);
  const thumbnail = await storeThumbnail(ingest, frame);
  const grid = planGrid({ frameRate: stillImageFrameRate, frameCount, chunkSeconds: ctx.config.media.chunkSeconds });
  const ladder = planLadder({
    ...{ width: stillWidth, height: stillHeight, codec: 'still', bits: null },
    framesPerSecond: stillImageFrameRate[0],
  });
  return {
    ...(await storedOn(ingest, sounds, { grid, quickGrid: quick ? grid : null, ladder })),
    ...{ grid, ladder, source: stillImageSource(thumbnail), otherAudio: sounds.other },
    facts: {
      thumbnail,
      width: null,
      height: null,
      hasVideo: false,
      hasAudio: true,
      audioTracks: sounds.tracks,
      leftOutAudio: sounds.leftOut,
      mayHaveCaptions: mayHaveCaptions(description),
      missingEndSeconds: missingEndSeconds(await movieEnds(ingest.path, description), {
        video: Number.NaN,
        audio: audioEnd(description, originSeconds, sounds.main),
      }),
      mediaSeconds: mediaSecondsOf({ ...grid, renditions: ladder }, null),
    },
  };
}

function stillImageSource({ storageKey }: StoredImage): PlannedSource {
  return {
    key: storageKey,
    demuxer: 'jpeg_pipe',
    stream: 0,
    originSeconds: 0,
    seekable: false,
    still: true,
    interlaced: false,
    highDynamicRange: null,
    // The colours of a JPEG file.
    colours: { matrix: 'smpte170m', primaries: 'bt709', transfer: 'bt709' },
  };
}

type Opening = Awaited<ReturnType<typeof seekableSource>>;

/** The audio of a source. */
interface SourceAudio {
  readonly tracks: MeasuredSource['facts']['audioTracks'];
  readonly encoded: readonly EncodedAudioTrack[];
  /** The default stream; null if there is none or it cannot be decoded. */
  readonly main: EncodedAudio | null;
  readonly other: MeasuredSource['otherAudio'];
  /** Labels of tracks that do not play. */
  readonly leftOut: readonly string[];
}

async function audioTracksIn(
  ingest: IngestContext,
  description: ProbedSource,
  { originSeconds, quick }: { readonly originSeconds: number; readonly quick: boolean },
): Promise<SourceAudio> {
  const { demuxer, audioStreams } = description;
  const all = sourceAudioTracksOf(description);
  const count = quick ? 1 : all.length;
  const opening = { demuxer, originSeconds };
  const encoded = await encodeAudioTracks(
    ingest,
    { ...opening, hasVideo: description.video !== null },
    all.slice(0, count),
    all[0],
  );
  const other = { ...opening, sounds: all.slice(count) };
  const tracks = describedTracks(audioStreams, description.audio?.trackId);
  const unused = Array.from({ length: description.audioCount - audioStreams.length }, (_, index) => index);
  const leftOut = [
    ...leftOutTracks(all.slice(0, count), encoded, tracks),
    ...unused.map((index) => `Audio ${audioStreams.length + index + 1}`),
  ];
  return {
    ...{ tracks, leftOut },
    encoded,
    main: encoded[0]?.encoded ?? null,
    other,
  };
}

/** Stores the audio of the full and the quick generation. */
async function storedOn(
  ingest: IngestContext,
  { encoded, tracks }: SourceAudio,
  planned: { readonly grid: Grid; readonly quickGrid: Grid | null; readonly ladder: readonly PlannedRendition[] },
): Promise<Pick<SourceMeasurement, 'audio' | 'quick'>> {
  const { grid, quickGrid, ladder } = planned;
  const stored = await storeAudioTracks(ingest, quickGrid ? [grid, quickGrid] : [grid], encoded, tracks);
  const quick = quickGrid && {
    ...{ grid: quickGrid, renditions: [quickRendition(ladder)], audio: audioOn(quickGrid, stored) },
  };
  return { audio: audioOn(grid, stored), quick };
}

function timelineOf(
  { ctx, path, limits, run }: IngestContext,
  { demuxer }: ProbedSource,
  { index, timeBase }: VideoStream,
  declared: DeclaredEnds,
): Promise<SourceTimeline> {
  return readSourceTimeline(ctx.media.runner, { path, demuxer, stream: index, timeBase }, limits, run.signal, declared);
}

/** If the container does not declare the end of the video, uses that of its last packet. */
function withLastPacket(declared: DeclaredEnds, { lastPacketEndSeconds }: SourceTimeline): DeclaredEnds {
  return Number.isNaN(declared.video) ? { ...declared, video: lastPacketEndSeconds } : declared;
}

/**
 * The source time at which the content begins: its first frame, or, if audio begins clearly earlier, a whole number of frames
 * before, so that the frames of the source stay aligned.
 */
function originOf(description: ProbedSource, timeline: SourceTimeline, [rate, scale]: FrameRate): number {
  const lead = description.audio ? timeline.startSeconds - description.audio.startSeconds : 0;
  if (lead < leadingAudioSeconds) return timeline.startSeconds;
  return timeline.startSeconds - (Math.round((lead * rate) / scale) * scale) / rate;
}

/** Duration until the end of the last frame, or of audio that continues clearly after it. */
function secondsWith(videoSeconds: number, audio: EncodedAudio | null): number {
  const audioSeconds = lengthOf(audio);
  return audioSeconds > videoSeconds + audioTailSeconds ? audioSeconds : videoSeconds;
}

function lengthOf(audio: EncodedAudio | null): number {
  return ((audio?.packets ?? 0) * samplesPerPacket) / audioSampleRate;
}

/** End of the audio in the source. NaN if there is none or it cannot be decoded; the owner is notified of such tracks by label. */
function audioEnd({ audio }: ProbedSource, originSeconds: number, encoded: EncodedAudio | null): number {
  return audio && encoded ? originSeconds + lengthOf(encoded) : Number.NaN;
}

function checkLength(seconds: number, maxSeconds: number): void {
  if (seconds > maxSeconds) throw new MediaFault('content.failure.tooLong', `${seconds} s`);
}

function frameSource({ ctx, path }: IngestContext, description: ProbedSource): FrameSource {
  return {
    source: fileSource(path),
    description,
    threads: ctx.config.worker.mediaThreads,
    maxPixels: ctx.config.media.maxPixels,
  };
}
