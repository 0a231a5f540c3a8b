import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileAddress, openingOptions } from './demuxers.js';
import { MediaFault } from './mediaFault.js';
import type { SourceDescription } from './probe.js';
import { isRefusal, type MediaRun, type MediaRunner } from './runner.js';
import type { Timeline } from './timeline.js';
import { toneMapping } from './toneMapping.js';

/** Longest side of a thumbnail. */
const longestSide = 1280;
export const stillWidth = 1280;
export const stillHeight = 720;
/** A representative frame is looked for in so many seconds, decoding keyframes alone where there are enough of them. */
const windowSeconds = 20;
const enoughKeyframes = 4;
const shortWindowSeconds = 4;
/** So much of the sound is drawn where there is no picture at all. */
const drawnSeconds = 600;

export interface Picture {
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

export interface PictureSource {
  readonly path: string;
  readonly description: SourceDescription;
  readonly threads: number;
  readonly maximumPixels: number;
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

export interface VideoFrame extends Picture {
  /** False where a high dynamic range could not be mapped down: these tools lack the filters. */
  readonly toneMapped: boolean;
}

/** A picture that stands for a film. Throws MediaFault where not one frame of it can be decoded. */
export async function videoFrame(
  runner: MediaRunner,
  folder: string,
  source: PictureSource,
  timeline: Timeline,
  run: MediaRun,
): Promise<VideoFrame> {
  const { video } = source.description;
  if (!video) throw new TypeError('a film has video');
  const scale = Math.min(1, longestSide / Math.max(video.width, video.height));
  const width = Math.max(1, Math.round(video.width * scale));
  const height = Math.max(1, Math.round(video.height * scale));
  const mapping = toneMapping(video.highDynamicRange);
  for (const filters of mapping.length > 0 ? [mapping, []] : [[]]) {
    for (const { options, choice } of waysToLook(source, timeline)) {
      const steps = [`scale=${width}:${height}`, 'setsar=1', ...choice, ...filters].join(',');
      const input = { path: fileAddress(source.path), options };
      if (await draw(runner, folder, input, `[0:${video.index}]${steps}[picture]`, run)) {
        return { path: join(folder, 'picture.jpg'), width, height, toneMapped: filters === mapping };
      }
    }
  }
  throw new MediaFault('content.failure.unreadable', 'no frame of the video can be decoded');
}

/** Where to look for a representative frame, and how to choose it; at last the first frame that can be had. */
function waysToLook(source: PictureSource, timeline: Timeline): { options: string[]; choice: string[] }[] {
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
      ? { options: ['-skip_frame', 'nokey', ...from(end - start), ...common], choice: [`thumbnail=n=${keyframes}`] }
      : { options: [...from(shortWindowSeconds), ...common], choice: ['fps=4', 'thumbnail=n=16'] };
  return [best, { options: common, choice: [] }];
}

/** The still picture of a content that is sound alone: its cover, else a drawing of the sound. */
export async function audioPoster(
  runner: MediaRunner,
  folder: string,
  source: PictureSource,
  run: MediaRun,
): Promise<Picture> {
  const { cover, audio } = source.description;
  const options = decoding(source);
  const input = { path: fileAddress(source.path), options };
  const picture = { path: join(folder, 'picture.jpg'), width: stillWidth, height: stillHeight };
  const size = `${stillWidth}:${stillHeight}`;
  const fitted = `scale=${size}:force_original_aspect_ratio=decrease,pad=${size}:-1:-1,setsar=1[picture]`;
  if (cover !== null && (await draw(runner, folder, input, `[0:${cover}]${fitted}`, run))) return picture;
  const drawing =
    `color=c=0x1d2733:s=${stillWidth}x${stillHeight}[ground];` +
    `[0:${audio?.index ?? 0}]aformat=channel_layouts=mono,showwavespic=s=${stillWidth - 80}x400:colors=0x6fb7ff[wave];` +
    `[ground][wave]overlay=40:160:shortest=1[picture]`;
  if (await draw(runner, folder, { ...input, options: ['-t', String(drawnSeconds), ...options] }, drawing, run))
    return picture;
  throw new MediaFault('content.failure.unreadable', 'no sound can be decoded');
}

/** False where the tool could not make a picture of it. */
async function draw(
  runner: MediaRunner,
  folder: string,
  input: { path: string; options: readonly string[] },
  filter: string,
  run: MediaRun,
): Promise<boolean> {
  const name = 'picture.jpg';
  try {
    await runner.convert(
      { folder, inputs: [input], filter, outputs: [{ path: name, options: ['-map', '[picture]', ...jpeg] }] },
      run,
    );
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
  return exists(join(folder, name));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );
}

function decoding({ description, threads, maximumPixels }: PictureSource): string[] {
  return [
    ...(threads > 0 ? ['-threads', String(threads)] : []),
    '-max_pixels',
    String(maximumPixels),
    ...openingOptions(description.demuxer),
  ];
}
