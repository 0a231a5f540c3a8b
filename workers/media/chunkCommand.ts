import { framesPerKeyframe, previewCut, type Chunk } from '../../shared/media/grid.js';
import { secondsOfFrames } from '../../shared/media/frameRate.js';
import type { SourceColours } from '../../shared/media/sourceColours.js';
import type { ContentPlan, PlannedRendition, PlannedSource } from '../../shared/content/plan.js';
import { fileAddress, openingOptions } from './demuxers.js';
import type { MediaCommand, MediaFile } from './runner.js';
import { scaledInOrder, scaledTo } from './scaling.js';
import { toneMapping } from './toneMapping.js';

/**
 * ffmpeg seeks to a time this much before a chunk, and decodes from the previous keyframe: containers index decoding times, which precede
 * presentation times.
 */
const seekMarginSeconds = 0.5;
/** With `adaptiveQuantization`, needs 85 % of the bits of 23 without it, at about the same SSIM: `docs/decisions/media.md#bits`. */
const constantQuality = 25;
/** Distributes the bits within each frame by local detail. Disabled in the fastest preset, which tests use. */
const adaptiveQuantization = (preset: string): string => (preset === 'ultrafast' ? '' : ':aq-mode=2');

/** Options of the segment muxer: keep the timestamps and write no edit list. */
const segmentOptions = 'avoid_negative_ts=disabled:use_editlist=0:write_btrt=0:movflags=+frag_discont';

export interface ChunkSettings {
  readonly preset: string;
  /** 0: as many as ffmpeg chooses. */
  readonly threads: number;
  readonly maxPixels: number;
  /**
   * The chunk has failed before and is encoded in a slower way. The source is decoded from its start; if no frame of the chunk can
   * be decoded, the frame before it is repeated. The beginning is filled by `-vsync` instead of the filter `fps`, which would fill
   * it again at a change of the frame size.
   */
  readonly isRetry: boolean;
}

/**
 * The ffmpeg command that encodes a chunk in every rendition: the source is decoded once, converted to a constant frame rate,
 * scaled and encoded. `sourcePath`: a local file. Outputs are `<rendition>/<segment>`, without audio
 * (`workers/transcoding/storeAudioSegments.ts`).
 */
export function chunkCommand(options: {
  readonly folder: string;
  readonly plan: ContentPlan;
  readonly chunk: Chunk;
  readonly sourcePath: string;
  readonly settings: ChunkSettings;
}): MediaCommand {
  const { folder, plan, chunk, settings } = options;
  return {
    folder,
    inputs: [videoInput(plan, chunk, options.sourcePath, settings)],
    filter: filterOf(plan, chunk, settings),
    outputs: plan.renditions.map((rendition, index) => renditionOutput(plan, chunk, rendition, index, settings)),
  };
}

function videoInput(plan: ContentPlan, chunk: Chunk, path: string, settings: ChunkSettings): MediaFile {
  const { source } = plan;
  // If the chunk begins with a keyframe, seeking to the middle of its first frame finds this keyframe.
  const margin = source.keyframesAtSegments ? -secondsOfFrames(1, plan.frameRate) / 2 : seekMarginSeconds;
  const start = source.originSeconds + secondsOfFrames(chunk.firstFrame, plan.frameRate) - margin;
  const seek =
    chunk.position > 0 && !settings.isRetry
      ? ['-noaccurate_seek', '-seek_timestamp', '1', '-ss', start.toFixed(6)]
      : [];
  const seekOptions = source.seekable ? [...seek, '-itsoffset', (-source.originSeconds).toFixed(6)] : [];
  const threads = settings.threads > 0 ? ['-threads', String(settings.threads)] : [];
  const global =
    settings.threads > 0
      ? ['-filter_threads', String(settings.threads), '-filter_complex_threads', String(settings.threads)]
      : [];
  return {
    path: fileAddress(path),
    options: [
      '-copyts',
      ...global,
      ...threads,
      '-max_pixels',
      String(settings.maxPixels),
      ...seekOptions,
      ...openingOptions(source.demuxer),
    ],
  };
}

/**
 * The filter `fps` numbers the frames of the content from its start, and `trim` selects those of the chunk. If a source has no
 * frames at its start or end, its first or last frame is repeated.
 */
function filterOf(plan: ContentPlan, chunk: Chunk, { isRetry }: ChunkSettings): string {
  const { source, frameRate, renditions } = plan;
  const [rate, scale] = frameRate;
  const first = source.still ? 0 : chunk.firstFrame;
  const steps = [
    ...(source.seekable ? [] : [`setpts=PTS-STARTPTS-(${source.originSeconds.toFixed(6)})/TB`]),
    ...(source.interlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    `fps=fps=${rate}/${scale}:eof_action=pass${first === 0 && !isRetry ? ':start_time=0' : ''}`,
    'tpad=stop=-1:stop_mode=clone',
    `trim=start_pts=${first}:end_pts=${first + chunk.frameCount}`,
    `setpts=PTS-${first}`,
    ...toneMapping(source.highDynamicRange),
  ];
  const outlets = renditions.map((rendition, index) => ({
    outlet: `video${index}`,
    filter: `${scaledTo(rendition, index === renditions.length - 1 ? coloursToScale(source) : undefined)},format=yuv420p`,
  }));
  return `[0:${source.stream}]${steps.join(',')},${scaledInOrder(outlets.toReversed())}`;
}

/** Tone mapping results in BT.709. */
function coloursToScale({ highDynamicRange, colours }: PlannedSource): SourceColours | undefined {
  return highDynamicRange ? { matrix: 'bt709' } : colours;
}

function renditionOutput(
  plan: ContentPlan,
  chunk: Chunk,
  rendition: PlannedRendition,
  index: number,
  settings: ChunkSettings,
): MediaFile {
  return {
    path: `${rendition.name}/list.m3u8`,
    options: [
      ...['-map', `[video${index}]`],
      ...videoEncoding(rendition, keyframeRule(plan, chunk), settings),
      ...startingAt(secondsOfFrames(chunk.firstFrame, plan.frameRate)),
      ...segmenting(plan, chunk.firstSegment, chunk.segmentCount),
      '-hls_segment_filename',
      `${rendition.name}/%05d.m4s`,
    ],
  };
}

/**
 * Repeats parameter sets at each keyframe: ffmpeg, and players based on it, read only the first initialisation segment of a
 * playlist, and could not decode the later items of a channel.
 */
export const x264Parameters = 'scenecut=0:open-gop=0:keyint=infinite:repeat-headers=1';

/** Closed captions of the source are captions of the content: players would list them twice. */
const withoutClosedCaptions = ['-a53cc', '0'];

/** H.264 with the bit rates of a rendition. `keyframes`: an ffmpeg expression that is true for each keyframe. */
export function videoEncoding(
  { maximumBits, bufferBits }: Pick<PlannedRendition, 'maximumBits' | 'bufferBits'>,
  keyframes: string,
  { preset, threads }: Pick<ChunkSettings, 'preset' | 'threads'>,
): string[] {
  return [
    ...['-c:v', 'libx264', '-preset', preset, '-profile:v', 'high', '-pix_fmt', 'yuv420p'],
    ...['-crf', String(constantQuality), '-maxrate', String(maximumBits), '-bufsize', String(bufferBits)],
    ...['-force_key_frames', `expr:${keyframes}`, '-forced-idr', '1'],
    ...['-x264-params', x264Parameters + adaptiveQuantization(preset)],
    ...withoutClosedCaptions,
    ...(threads > 0 ? ['-threads', String(threads)] : []),
  ];
}

/** Copies audio from a file of AAC packets. */
export const copiedAudio: readonly string[] = ['-c:a', 'copy', '-bsf:a', 'aac_adtstoasc'];

/**
 * Options for output whose first frame is presented at this time. The encoder delays frames, at a low frame rate by many seconds,
 * during which the muxer has to buffer the audio.
 */
export function startingAt(seconds: number): string[] {
  return [
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-max_muxing_queue_size', '4096'],
    ...['-output_ts_offset', seconds.toFixed(6), '-avoid_negative_ts', 'disabled', '-max_interleave_delta', '0'],
  ];
}

/** Options that write the segments of a rendition, numbered from `firstSegment`. */
function segmenting(plan: ContentPlan, firstSegment: number, segmentCount: number): string[] {
  // Slightly less than a segment, so that the muxer does not miss its keyframe because of rounding.
  const seconds = secondsOfFrames(plan.framesPerSegment, plan.frameRate) - Math.min(0.02, 1 / segmentCount);
  return [...segmentMuxing(seconds), '-start_number', String(firstSegment)];
}

/** Options of the segment muxer: a segment ends at the first keyframe after `seconds`. */
export function segmentMuxing(seconds: number): string[] {
  return [
    '-f',
    'hls',
    '-hls_time',
    seconds.toFixed(6),
    '-hls_playlist_type',
    'vod',
    '-hls_flags',
    'independent_segments+temp_file',
    '-hls_segment_type',
    'fmp4',
    '-hls_fmp4_init_filename',
    'init.mp4',
    '-hls_segment_options',
    segmentOptions,
  ];
}

/**
 * The keyframes of the chunk: one every two seconds, none in the additional frames of a longer last segment, and one at the end of
 * the preview, so that it can be cut without encoding.
 */
function keyframeRule(plan: ContentPlan, chunk: Chunk): string {
  const onGrid = `not(mod(n,${framesPerKeyframe(plan.frameRate)}))*lt(n,${chunk.segmentCount * plan.framesPerSegment})`;
  const { completeSegments, tail } = previewCut(plan);
  const cut = tail ? completeSegments * plan.framesPerSegment + tail.frames - chunk.firstFrame : 0;
  return cut > 0 && cut < chunk.frameCount ? `${onGrid}+eq(n,${cut})` : onGrid;
}
