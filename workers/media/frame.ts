import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mixTo } from './channelMix.js';
import { openingOptions, type MediaSource } from './demuxers.js';
import { MediaFault } from './mediaFault.js';
import type { ProbedSource } from './probedSource.js';
import { isMediaFailure, type MediaRun, type MediaRunner } from './runner.js';
import { jpegColours } from './colours.js';
import type { SourceTimeline } from './sourceTimeline.js';
import { toneMapping } from './toneMapping.js';

/** Longest side of a thumbnail. */
const maxSide = 1280;
export const stillWidth = 1280;
export const stillHeight = 720;
/** A representative frame is chosen within this time. If it has enough keyframes, only these are decoded. */
const windowSeconds = 30;
const enoughKeyframes = 3;
/** Maximum of evenly spaced frames to choose from. All of them are in memory, and every frame of a source may be a keyframe. */
const maxComparedFrames = 32;
const shortWindowSeconds = 4;
/** Duration of the audio whose waveform is drawn if there is no image. */
const waveformSeconds = 600;

/** A local image file. */
export interface FrameImage {
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

export interface FrameSource {
  readonly source: MediaSource;
  readonly description: ProbedSource;
  readonly threads: number;
  readonly maxPixels: number;
}

const jpeg = [
  '-frames:v',
  '1',
  '-map_metadata',
  '-1',
  '-c:v',
  'mjpeg',
  '-q:v',
  '3',
  '-pix_fmt',
  'yuvj420p',
  '-f',
  'image2',
  '-update',
  '1',
];

/** Presentation times of a video and of its keyframes. */
type ShownTimes = Pick<SourceTimeline, 'startSeconds' | 'endSeconds' | 'keyframeSeconds'>;

export interface VideoFrame extends FrameImage {
  /** False if high dynamic range could not be converted because this ffmpeg lacks the filter. */
  readonly toneMapped: boolean;
}

/** Extracts a representative frame of a video. Throws MediaFault if no frame can be decoded. */
export async function videoFrame(
  runner: MediaRunner,
  folder: string,
  source: FrameSource,
  timeline: ShownTimes,
  run: MediaRun,
): Promise<VideoFrame> {
  const { video } = source.description;
  if (!video) throw new TypeError('the source has no video');
  const scale = Math.min(1, maxSide / Math.max(video.width, video.height));
  const width = Math.max(1, Math.round(video.width * scale));
  const height = Math.max(1, Math.round(video.height * scale));
  const mapping = toneMapping(video.highDynamicRange);
  for (const filters of mapping.length > 0 ? [mapping, []] : [[]]) {
    for (const { options, choice } of attemptsAt(source, timeline)) {
      const steps = [
        // Deinterlaces single frames, because keyframes are far from each other.
        ...(video.mayBeInterlaced ? ['estdif=mode=frame:deint=interlaced'] : []),
        `scale=${width}:${height}:flags=bicubic+accurate_rnd+full_chroma_int:in_color_matrix=${video.colours.matrix ?? 'auto'}`,
        ...['setsar=1', 'format=rgb24', ...choice, ...filters],
        `scale=${filters.length > 0 ? 'in_color_matrix=bt709:' : ''}${jpegColours}`,
      ].join(',');
      const input = { path: source.source.address, options };
      if (await draw(runner, folder, input, `[0:${video.index}]${steps}[frame]`, run)) {
        return { path: join(folder, 'frame.jpg'), width, height, toneMapped: filters === mapping };
      }
    }
  }
  throw new MediaFault('content.failure.unreadable', 'no frame of the video can be decoded');
}

/** Ranges to search for a representative frame, and filters that choose it. The last attempt takes the first decodable frame. */
function attemptsAt(source: FrameSource, timeline: ShownTimes): { options: string[]; choice: string[] }[] {
  const length = timeline.endSeconds - timeline.startSeconds;
  const start = timeline.startSeconds + Math.min(length * 0.1, 60);
  const end = Math.min(start + windowSeconds, timeline.startSeconds + length * 0.9);
  const keyframes = timeline.keyframeSeconds.filter((second) => second >= start && second <= end).length;
  const common = decoding(source);
  const from = (seconds: number): string[] => [
    '-seek_timestamp',
    '1',
    '-ss',
    start.toFixed(6),
    '-t',
    seconds.toFixed(6),
  ];
  const best =
    keyframes >= enoughKeyframes
      ? { options: ['-skip_frame', 'nokey', ...from(end - start), ...common], choice: spread(keyframes) }
      : { options: [...from(shortWindowSeconds), ...common], choice: ['fps=4', 'thumbnail=n=16'] };
  return [best, { options: common, choice: [] }];
}

function spread(frames: number): string[] {
  const step = Math.ceil(frames / maxComparedFrames);
  return [`framestep=${step}`, `thumbnail=n=${Math.ceil(frames / step)}`];
}

/** Creates the image of a content without video: its cover, or the waveform of its audio. */
export async function audioPoster(
  runner: MediaRunner,
  folder: string,
  source: FrameSource,
  run: MediaRun,
): Promise<FrameImage> {
  const { cover, audio } = source.description;
  const options = decoding(source);
  const input = { path: source.source.address, options };
  const image = { path: join(folder, 'frame.jpg'), width: stillWidth, height: stillHeight };
  const size = `${stillWidth}:${stillHeight}`;
  const fitted = `scale=${size}:force_original_aspect_ratio=decrease,pad=${size}:-1:-1,setsar=1[frame]`;
  if (cover !== null && (await draw(runner, folder, input, `[0:${cover}]${fitted}`, run))) return image;
  const drawing =
    `color=c=0x1d2733:s=${stillWidth}x${stillHeight}[ground];` +
    `[0:${audio?.index ?? 0}]${[...(audio ? mixTo(1, audio) : []), ''].join(',')}aformat=channel_layouts=mono,showwavespic=s=${stillWidth - 80}x400:colors=0x6fb7ff[wave];` +
    `[ground][wave]overlay=40:160:shortest=1[frame]`;
  if (await draw(runner, folder, { ...input, options: ['-t', String(waveformSeconds), ...options] }, drawing, run))
    return image;
  throw new MediaFault('content.failure.unreadable', 'no audio can be decoded');
}

/** False if ffmpeg could not produce the image. */
async function draw(
  runner: MediaRunner,
  folder: string,
  input: { path: string; options: readonly string[] },
  filter: string,
  run: MediaRun,
): Promise<boolean> {
  const name = 'frame.jpg';
  try {
    await runner.convert(
      { folder, inputs: [input], filter, outputs: [{ path: name, options: ['-map', '[frame]', ...jpeg] }] },
      run,
    );
  } catch (error) {
    if (isMediaFailure(error)) return false;
    throw error;
  }
  return exists(join(folder, name));
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).size > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function decoding({ source, description, threads, maxPixels }: FrameSource): string[] {
  return [
    ...(threads > 0 ? ['-threads', String(threads)] : []),
    '-max_pixels',
    String(maxPixels),
    ...openingOptions(description.demuxer, source),
  ];
}
