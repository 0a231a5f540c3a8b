import {
  audioSampleRate,
  framesPerKeyframe,
  previewCut,
  samplesPerPacket,
  secondsOf,
  type Chunk,
} from '../../shared/content/chunkPlan.js';
import type { ContentPlan, PlannedRendition } from '../../shared/content/plan.js';
import { fileAddress, openingOptions } from './demuxers.js';
import type { MediaCommand, MediaFile } from './runner.js';
import { toneMapping } from './toneMapping.js';

/**
 * Seconds added to every timestamp of every content: decoding times run ahead of the first picture by some frames, and
 * may not be negative.
 */
export const timelineBaseSeconds = 1;

/** A source is sought this much before a chunk: containers know decoding times, which precede those of showing. */
const seekMarginSeconds = 0.5;
const constantQuality = 23;

/** Passed to the muxer of the segments themselves: timestamps are what we say they are, and no edit list moves them. */
const segmentOptions = 'avoid_negative_ts=disabled:use_editlist=0:write_btrt=0:movflags=+frag_discont';

export interface ChunkSettings {
  readonly preset: string;
  /** 0: as many as the tools like. */
  readonly threads: number;
  readonly maximumPixels: number;
  /**
   * The chunk has failed before, and is made another way. The source is read from its start, as slow as that is: where
   * nothing of the chunk can be decoded, the picture before it stands still. And its beginning is filled by the tool
   * rather than by `fps`, which would fill again where the size of the pictures changes.
   */
  readonly isRetry: boolean;
}

/** File of a segment, within the folder of its rung. */
export function segmentName(segment: number): string {
  return `${String(segment).padStart(5, '0')}.m4s`;
}

/**
 * The one process that makes a chunk in every rung: decoded once, laid on the grid of frames, scaled and encoded, with
 * the chunk's share of the sound copied beside it. Paths of inputs are on this machine; outputs are `<rung>/<segment>`.
 */
export function chunkCommand(options: {
  readonly folder: string;
  readonly plan: ContentPlan;
  readonly chunk: Chunk;
  readonly sourcePath: string;
  readonly audioPath: string;
  readonly settings: ChunkSettings;
}): MediaCommand {
  const { folder, plan, chunk, settings } = options;
  return {
    folder,
    inputs: [pictureInput(plan, chunk, options.sourcePath, settings), audioInput(plan, chunk, options.audioPath)],
    filter: filterOf(plan, chunk, settings),
    outputs: plan.renditions.map((rendition, index) => renditionOutput(plan, chunk, rendition, index, settings)),
  };
}

function pictureInput(plan: ContentPlan, chunk: Chunk, path: string, settings: ChunkSettings): MediaFile {
  const { source } = plan;
  const start = source.originSeconds + secondsOf(chunk.firstFrame, plan.frameRate) - seekMarginSeconds;
  const seek =
    chunk.position > 0 && !settings.isRetry
      ? ['-noaccurate_seek', '-seek_timestamp', '1', '-ss', start.toFixed(6)]
      : [];
  const place = source.seekable ? [...seek, '-itsoffset', (-source.originSeconds).toFixed(6)] : [];
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
      String(settings.maximumPixels),
      ...place,
      ...openingOptions(source.demuxer),
    ],
  };
}

/** The share begins with the first packet that starts within the chunk, mostly a little after its first frame. */
function audioInput(plan: ContentPlan, chunk: Chunk, path: string): MediaFile {
  const lead = (chunk.firstPacket * samplesPerPacket) / audioSampleRate - secondsOf(chunk.firstFrame, plan.frameRate);
  return { path: fileAddress(path), options: ['-itsoffset', lead.toFixed(6), ...openingOptions('aac')] };
}

/**
 * `fps` numbers the frames of the whole content, from its first one; the chunk takes those numbers that are its own. What
 * a source lacks at its start is filled with its first frame, what it lacks at its end with its last one.
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
  const outlets = renditions.map((_, index) => `[full${index}]`).join('');
  const scaled = renditions.map(
    (rendition, index) =>
      `[full${index}]scale=${rendition.width}:${rendition.height},setsar=1,format=yuv420p[video${index}]`,
  );
  return [`[0:${source.stream}]${steps.join(',')},split=${renditions.length}${outlets}`, ...scaled].join(';');
}

function renditionOutput(
  plan: ContentPlan,
  chunk: Chunk,
  rendition: PlannedRendition,
  index: number,
  settings: ChunkSettings,
): MediaFile {
  const offset = timelineBaseSeconds + secondsOf(chunk.firstFrame, plan.frameRate);
  const video = [
    '-c:v',
    'libx264',
    '-preset',
    settings.preset,
    '-profile:v',
    'high',
    '-pix_fmt',
    'yuv420p',
    '-crf',
    String(constantQuality),
    '-maxrate',
    String(rendition.maximumBits),
    '-bufsize',
    String(rendition.bufferBits),
    '-force_key_frames',
    `expr:${keyframeRule(plan, chunk)}`,
    '-forced-idr',
    '1',
    '-x264-params',
    'scenecut=0:open-gop=0:keyint=infinite',
    ...(settings.threads > 0 ? ['-threads', String(settings.threads)] : []),
  ];
  return {
    path: `${rendition.name}/list.m3u8`,
    options: [
      '-map',
      `[video${index}]`,
      '-map',
      '1:0',
      ...video,
      '-c:a',
      'copy',
      '-bsf:a',
      'aac_adtstoasc',
      '-map_metadata',
      '-1',
      '-map_chapters',
      '-1',
      '-max_muxing_queue_size',
      '4096',
      '-output_ts_offset',
      offset.toFixed(6),
      '-avoid_negative_ts',
      'disabled',
      ...segmenting(plan, chunk.firstSegment, chunk.segmentCount),
      '-hls_segment_filename',
      `${rendition.name}/%05d.m4s`,
    ],
  };
}

/** How a rung's segments are written, numbered from `firstSegment`. */
export function segmenting(plan: ContentPlan, firstSegment: number, segmentCount: number): string[] {
  // A hair less than a segment, so that no rounding ever keeps the muxer from cutting at its keyframe.
  const seconds = secondsOf(plan.framesPerSegment, plan.frameRate) - Math.min(0.02, 1 / segmentCount);
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
    '-start_number',
    String(firstSegment),
  ];
}

/**
 * Which frames of the chunk are keyframes: every two seconds on the grid, none in a last segment's surplus, and one more
 * where the preview ends, so that it can be cut there by copy.
 */
function keyframeRule(plan: ContentPlan, chunk: Chunk): string {
  const onGrid = `not(mod(n,${framesPerKeyframe(plan.frameRate)}))*lt(n,${chunk.segmentCount * plan.framesPerSegment})`;
  const { wholeSegments, tail } = previewCut(plan);
  const cut = tail ? wholeSegments * plan.framesPerSegment + tail.frames - chunk.firstFrame : 0;
  return cut > 0 && cut < chunk.frameCount ? `${onGrid}+eq(n,${cut})` : onGrid;
}
