import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenContext } from '../../shared/context.js';
import { createContent } from '../../shared/content/content.lifecycle.js';
import { Content } from '../../shared/content/content.model.js';

const clipFolder = join(tmpdir(), 'video-platform-clips');

/** Runs a media tool and resolves with what it prints; rejects with what it complains of. */
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

/** A clip made by ffmpeg with these options; made once a machine, and kept under a name that follows from them. */
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

/** Moving pictures and a tone: H.264 and AAC in MP4 unless `coding` says otherwise. */
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
    `sine=f=440:r=44100:d=${seconds}`,
    ...coding,
  ]);
}

/** The same film, said to be turned by a quarter, as a telephone says it. Older tools write that as a tag. */
export async function turned(path: string): Promise<string> {
  const copy = ['-i', path, '-c', 'copy'];
  return makeClip('mov', ['-display_rotation', '90', ...copy]).catch(() =>
    makeClip('mov', [...copy, '-metadata:s:v:0', 'rotate=90']),
  );
}

/** Puts a file into the store as an upload does, and has a content made of it. */
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

/** The content's row; throws while it is PENDING, so that `eventually` asks again. */
export async function settledContent(ctx: OpenContext, contentId: string): Promise<Content> {
  const content = await ctx.db.model(Content).findByPk(contentId, { rejectOnEmpty: true });
  if (content.state === 'PENDING') throw new Error(`still in the making: ${content.failureDetail ?? 'no fault yet'}`);
  return content;
}

/** Everything in the store under a prefix, by key. */
export async function storedKeys(ctx: OpenContext, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of ctx.storage.list(prefix)) keys.push(key);
  return keys;
}

/** One packet of a played rung; seconds on the content's own timeline. */
export interface PlayedPacket {
  readonly pts: number;
  readonly dts: number;
  readonly duration: number;
}

/** Everything a rung's playlist names, one after the other, as a player would hand it to its decoder. */
export async function joinRendition(ctx: OpenContext, folder: string, rendition: string): Promise<Buffer> {
  const playlist = (await readStored(ctx, `${folder}/${rendition}.m3u8`)).toString();
  const names = playlist
    .split('\n')
    .flatMap((line) => /URI="([^"]+)"/.exec(line)?.[1] ?? (line !== '' && !line.startsWith('#') ? line : []));
  return Buffer.concat(await Promise.all(names.map((name) => readStored(ctx, `${folder}/${name}`))));
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

/** Pictures whose brightness says which frame of the source they are: frame n shows `brightnessOf(n)`. */
export function numberedFrames(rate: string, seconds: number, size = '64x64'): string[] {
  return ['-f', 'lavfi', '-i', `nullsrc=s=${size}:r=${rate}:d=${seconds},geq=lum='16+mod(N*7\\,200)':cb=128:cr=128`];
}

export function brightnessOf(frame: number): number {
  return 16 + ((frame * 7) % 200);
}

/** Mean brightness of every frame, as decoded, in studio range. */
export async function brightnesses(media: Buffer): Promise<number[]> {
  const printed = await runTool(
    'ffmpeg',
    [
      '-i',
      '-',
      '-map',
      '0:v',
      '-fps_mode',
      'passthrough',
      '-vf',
      'scale=2:2,format=yuv420p,extractplanes=y',
      '-f',
      'rawvideo',
      '-',
    ],
    media,
  );
  return Array.from({ length: printed.length / 4 }, (_, index) => printed.charCodeAt(index * 4));
}

/** When it becomes loud, in seconds from the start of the film. */
export async function audioStarts(media: Buffer): Promise<number[]> {
  const rate = 4_000;
  const raw = await runTool('ffmpeg', ['-i', '-', '-vn', '-ac', '1', '-ar', String(rate), '-f', 'u8', '-'], media);
  const loud = Array.from(raw, (sample) => Math.abs(sample.charCodeAt(0) - 128) > 6);
  const isSilentBefore = (at: number): boolean => !loud.slice(Math.max(0, at - 0.3 * rate), at).some(Boolean);
  return loud.flatMap((is, at) => (is && isSilentBefore(at) ? at / rate : []));
}
