import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, type types } from 'hls-parser';
import type { OpenContext } from '../../shared/openContext.js';
import { createContent } from '../../shared/content/content.lifecycle.js';
import { Content } from '../../shared/content/content.model.js';
import { needBox } from '../../shared/media/mp4/index.js';
import { mp4Box } from '../../shared/media/mp4/boxWriter.js';
import { boxesIn } from '../../shared/media/mp4/isoBox.js';
import type { Context } from '../../shared/platform/context.js';

const clipFolder = join(process.env['TEST_CLIP_DIR'] ?? tmpdir(), 'video-platform-clips');

/** Runs a media tool and resolves with its output; rejects with its error output. */
export async function runTool(tool: 'ffmpeg' | 'ffprobe', options: readonly string[], input?: Buffer): Promise<string> {
  const path = process.env[tool === 'ffmpeg' ? 'FFMPEG_PATH' : 'FFPROBE_PATH'] ?? tool;
  const child = spawn(path, ['-hide_banner', '-loglevel', 'error', ...options], { stdio: ['pipe', 'pipe', 'pipe'] });
  let printed = '';
  let complaint = '';
  child.stdout.on('data', (data: Buffer) => (printed += data.toString('latin1')));
  child.stderr.on('data', (data: Buffer) => (complaint += data.toString()));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${tool} ended with ${code}: ${complaint}`);
  return printed;
}

/** A clip that ffmpeg generates with these options, once per machine, under a name derived from them. */
export async function makeClip(extension: string, options: readonly string[]): Promise<string> {
  const name = createHash('sha256')
    .update(JSON.stringify([extension, options]))
    .digest('hex')
    .slice(0, 20);
  const path = join(clipFolder, `${name}.${extension}`);
  if (
    await stat(path).then(
      () => true,
      () => false,
    )
  )
    return path;
  await mkdir(clipFolder, { recursive: true });
  const aside = join(clipFolder, `${name}-${randomUUID()}.${extension}`);
  await runTool('ffmpeg', ['-y', ...options, aside]);
  await rename(aside, path);
  return path;
}

/** Encoding options of `makeVideo` as in live streams: a keyframe every two seconds at 25 frames per second. */
export const liveCoding = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-sc_threshold', '0', '-pix_fmt', 'yuv420p'],
  ...['-c:a', 'aac'],
];

/**
 * The source of a tone for `-f lavfi`, with a little noise, as in recorded audio. The encoder of ffmpeg takes four times as
 * long for a pure tone.
 */
export function noisyTone(seconds: number, frequency = 440): string {
  return `aevalsrc='sin(2*PI*${frequency}*t)/8+random(0)/1000':s=44100:d=${seconds}`;
}

/** Moving frames and a tone: H.264 and AAC in MP4 unless `coding` has other options. */
export function makeVideo(
  options: { seconds?: number; size?: string; rate?: string; extension?: string; coding?: readonly string[] } = {},
): Promise<string> {
  const { seconds = 2, size = '320x180', rate = '25', extension = 'mp4' } = options;
  const coding = options.coding ?? ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  return makeClip(extension, [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=s=${size}:r=${rate}:d=${seconds}`,
    '-f',
    'lavfi',
    '-i',
    noisyTone(seconds),
    ...coding,
  ]);
}

/** The same video with a rotation of 90 degrees, as phones write it. Older tools write it as a tag. */
export async function turned(path: string): Promise<string> {
  const copy = ['-i', path, '-c', 'copy'];
  return makeClip('mov', ['-display_rotation', '90', ...copy]).catch(() =>
    makeClip('mov', [...copy, '-metadata:s:v:0', 'rotate=90']),
  );
}

/** Stores a file as an upload does, and creates a content for it. */
export async function uploadClip(
  ctx: OpenContext,
  ownerId: string,
  path: string | Buffer,
  name = 'clip.mp4',
): Promise<string> {
  const id = randomUUID();
  const sourceKey = `sources/${randomUUID()}/original`;
  const body = Buffer.isBuffer(path) ? path : createReadStream(path);
  const { bytes } = await ctx.storage.put(sourceKey, body, { contentType: 'application/octet-stream' });
  await ctx.db.transaction(async (tx) => {
    await createContent(ctx, tx, { id, ownerId, sourceKey, sourceName: name, sourceBytes: bytes });
  });
  return id;
}

/** The content's row; throws while it is PENDING, for use with `eventually`. */
export async function settledContent(ctx: OpenContext, contentId: string): Promise<Content> {
  const content = await ctx.db.model(Content).findByPk(contentId, { rejectOnEmpty: true });
  if (content.state === 'PENDING') throw new Error(`still PENDING: ${content.failureDetail ?? 'no failure yet'}`);
  return content;
}

/** The keys of all stored files under a prefix. */
export async function storedKeys(ctx: Context, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of ctx.storage.list(prefix)) keys.push(key);
  return keys;
}

/** One packet of a played rendition; times in seconds on the content's timeline. */
export interface PlayedPacket {
  readonly pts: number;
  readonly dts: number;
  readonly duration: number;
}

/**
 * All files of a rendition's playlist, concatenated as a player appends them for its decoder. Separate audio follows the
 * video of each segment.
 */
export async function joinRendition(ctx: OpenContext, folder: string, rendition: string): Promise<Buffer> {
  const video = await listedFiles(ctx, folder, `${rendition}.m3u8`);
  const audioList = `audio-0${/-.*$/.exec(rendition)?.[0] ?? ''}.m3u8`;
  if ((await ctx.storage.stat(`${folder}/${audioList}`)) === null)
    return Buffer.concat(video.media.flatMap((media, index) => [...newMap(video.maps, index), media]));
  const audio = await listedFiles(ctx, folder, audioList);
  const [videoMap, audioMap] = [video.maps[0], audio.maps[0]] as [Buffer, Buffer];
  const segments = video.media.flatMap((media, index) => [media, audio.media[index] ?? Buffer.alloc(0)]);
  return Buffer.concat([joinedInitialisation(videoMap, audioMap), ...segments]);
}

function newMap(maps: readonly Buffer[], index: number): Buffer[] {
  const [map, before] = [maps[index], maps[index - 1]];
  return map && !before?.equals(map) ? [map] : [];
}

/** The segments of a stored playlist, with the bytes of each segment and initialisation segment. */
export async function listedFiles(ctx: OpenContext, folder: string, playlist: string) {
  const text = (await readStored(ctx, `${folder}/${playlist}`)).toString();
  const { segments, endlist, targetDuration } = parse(text) as types.MediaPlaylist;
  const media = await Promise.all(segments.map(({ uri }) => readStored(ctx, `${folder}/${uri}`)));
  const maps = await Promise.all(segments.map(({ map }) => readStored(ctx, `${folder}/${map?.uri}`)));
  return { segments, endlist, targetDuration, media, maps };
}

export async function readStored(ctx: OpenContext, key: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of await ctx.storage.read(key)) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Packets of one kind in decoding order, in ticks of `timescale`. */
export async function packetsOf(media: Buffer, kind: 'v' | 'a'): Promise<PlayedPacket[]> {
  const printed = await runTool(
    'ffprobe',
    ['-select_streams', kind, '-show_entries', 'packet=pts,dts,duration', '-of', 'csv=p=0', '-'],
    media,
  );
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [pts = 0, dts = 0, duration = 0] = line.split(',').map(Number);
      return { pts, dts, duration };
    });
}

/** Frames whose brightness encodes their number in the source: frame n has `brightnessOf(n)`. */
export function numberedFrames(rate: string, seconds: number, size = '64x64'): string[] {
  return ['-f', 'lavfi', '-i', `nullsrc=s=${size}:r=${rate}:d=${seconds},geq=lum='16+mod(N*7\\,200)':cb=128:cr=128`];
}

export function brightnessOf(frame: number): number {
  return 16 + ((frame * 7) % 200);
}

/** Mean brightness of every decoded frame, in studio range. */
export async function brightnesses(media: Buffer): Promise<number[]> {
  const printed = await runTool(
    'ffmpeg',
    [
      ...['-i', '-', '-map', '0:v', '-fps_mode', 'passthrough', '-vf'],
      ...['scale=2:2,format=yuv420p,extractplanes=y', '-f', 'rawvideo', '-'],
    ],
    media,
  );
  return Array.from({ length: printed.length / 4 }, (_, index) => printed.charCodeAt(index * 4));
}

/** The times at which the audio becomes loud, in seconds from the start of the video. */
export async function audioStarts(media: Buffer): Promise<number[]> {
  const rate = 4_000;
  const raw = await runTool('ffmpeg', ['-i', '-', '-vn', '-ac', '1', '-ar', String(rate), '-f', 'u8', '-'], media);
  const loud = Array.from(raw, (sample) => Math.abs(sample.charCodeAt(0) - 128) > 6);
  const isSilentBefore = (at: number): boolean => !loud.slice(Math.max(0, at - 0.3 * rate), at).some(Boolean);
  return loud.flatMap((is, at) => (is && isSilentBefore(at) ? at / rate : []));
}

interface LongFilm {
  readonly isIndexAtEnd?: boolean;
  /** `fragmented`: MP4 as recorders write it. */
  readonly container?: 'mp4' | 'fragmented' | 'mkv' | 'flv' | 'ts';
}

/** One minute in 15 segments, 30 MB in total. */
export async function longFilm({ isIndexAtEnd = false, container = 'mp4' }: LongFilm = {}): Promise<string> {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25,noise=alls=60:allf=t'];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-b:v', '4M', '-pix_fmt', 'yuv420p'];
  const coded = await makeClip('mp4', [
    ...picture,
    ...['-f', 'lavfi', '-i', 'sine=r=48000', '-t', '60'],
    ...coding,
    ...['-c:a', 'aac', '-ac', '2'],
  ]);
  if (isIndexAtEnd) return coded;
  const flags = { mp4: '+faststart', fragmented: '+frag_keyframe+empty_moov+default_base_moof' };
  const isMp4 = container === 'mp4' || container === 'fragmented';
  const options = ['-i', coded, '-c', 'copy', ...(isMp4 ? ['-movflags', flags[container]] : [])];
  return makeClip(isMp4 ? 'mp4' : container, options);
}

/** One initialisation segment made of those of video and audio, for files with segments of both. */
export function joinedInitialisation(video: Buffer, audio: Buffer): Buffer {
  const moov = needBox(video, video, 'moov');
  const content = boxesOf(video, 'moov').map((one) =>
    one.toString('latin1', 4, 8) === 'mvex'
      ? mp4Box('mvex', ...boxesOf(video, 'moov', 'mvex'), ...boxesOf(audio, 'moov', 'mvex'))
      : one,
  );
  const tracks = boxesOf(audio, 'moov').filter((one) => one.toString('latin1', 4, 8) === 'trak');
  return Buffer.concat([video.subarray(0, moov.start - 8), mp4Box('moov', ...content, ...tracks)]);
}

function boxesOf(init: Buffer, ...path: readonly string[]): Buffer[] {
  const { start, end } = needBox(init, init, ...path);
  return [...boxesIn(init, start, end)].map((one) => init.subarray(one.start - 8, one.end));
}
