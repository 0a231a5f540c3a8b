import type { Context } from '../platform/context.js';
import { NotFoundError } from '../platform/errors.js';
import { DamagedMediaError, readMp4Tracks, trackRunsIn } from '../media/mp4/index.js';
import type { StoredFile } from '../platform/storage/storage.js';

/* Reads the boxes of stored MP4 files (ISO 14496-12) with few storage requests, without the media data. */

/** An initialisation segment has about 1.3 kB. */
const maxInitialisation = 64 * 1024;
/** The `moof` box of a four-second segment has a few kilobytes: one storage request reads it. */
const usualBytes = 16 * 1024;
/** Fragments of live segments are half a second long, and one may begin at each frame. */
const maxBoxes = 1_000;
const maxFragment = 1024 * 1024;
const boxHeaderBytes = 8;

/** Throws NotFoundError. */
export async function storedFile(ctx: Context, key: string): Promise<StoredFile> {
  const stored = await ctx.storage.stat(key);
  if (!stored) throw new NotFoundError({ detail: `no stored file ${key}` });
  return stored;
}

/** Throws NotFoundError, DamagedMediaError. */
export async function storedInitialisation(ctx: Context, { key, bytes }: StoredFile): Promise<Buffer> {
  if (bytes > maxInitialisation) throw new DamagedMediaError(`initialisation segment of ${bytes} bytes: ${key}`);
  return readStored(ctx, key, 0, bytes);
}

export interface StoredBox {
  readonly type: string;
  readonly start: number;
  readonly length: number;
  /** Its first bytes, perhaps followed by bytes after the box. */
  readonly beginning: Buffer;
}

/** The boxes of a file in order. Throws DamagedMediaError. */
export async function* storedBoxes(ctx: Context, { key, bytes }: StoredFile): AsyncGenerator<StoredBox> {
  let at = 0;
  for (let count = 0; at + boxHeaderBytes <= bytes; count += 1) {
    const beginning = await readStored(ctx, key, at, Math.min(usualBytes, bytes - at));
    const length = beginning.readUInt32BE(0);
    if (length < boxHeaderBytes || at + length > bytes || count === maxBoxes)
      throw new DamagedMediaError(`damaged box at ${at} of ${key}`);
    yield { type: beginning.toString('latin1', 4, 8), start: at, length, beginning };
    at += length;
  }
}

/** The complete `moof` box. Throws DamagedMediaError. */
export async function storedFragment(ctx: Context, key: string, box: StoredBox): Promise<Buffer> {
  const { start, length, beginning } = box;
  if (length > maxFragment) throw new DamagedMediaError(`fragment of ${length} bytes in ${key}`);
  const moof = length > beginning.length ? await readStored(ctx, key, start, length) : beginning;
  return moof.subarray(0, length);
}

/** Presentation time of a segment's first frame, in seconds. Throws NotFoundError, DamagedMediaError. */
export async function segmentStartSeconds(
  ctx: Context,
  { key, map }: { readonly key: string; readonly map: string },
): Promise<number> {
  const init = await storedInitialisation(ctx, await storedFile(ctx, map));
  const video = readMp4Tracks(init).find(({ kind }) => kind === 'video');
  for await (const box of storedBoxes(ctx, await storedFile(ctx, key))) {
    if (box.type !== 'moof') continue;
    const run = trackRunsIn(await storedFragment(ctx, key, box)).find(({ track }) => track === video?.id);
    if (!run || !video) break;
    return Math.max(0, (run.decodeTime + (run.samples[0]?.offset ?? 0)) / video.timescale);
  }
  throw new DamagedMediaError(`no video in ${key}`);
}

/** The text of a stored playlist. Throws NotFoundError. */
export async function readStoredText(ctx: Context, key: string): Promise<string> {
  const { bytes } = await storedFile(ctx, key);
  return bytes === 0 ? '' : (await readStored(ctx, key, 0, bytes)).toString('utf8');
}

/** Reads `bytes` bytes of a file from `start`. */
export async function readStored(ctx: Context, key: string, start: number, bytes: number): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for await (const block of await ctx.storage.read(key, { start, end: start + bytes - 1 }))
    blocks.push(block as Buffer);
  return Buffer.concat(blocks);
}
