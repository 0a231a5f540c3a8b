import type { SegmentFile } from '../../content/segmentFiles.js';
import type { Context } from '../../platform/context.js';
import { NotFoundError } from '../../platform/errors.js';
import { DamagedMediaError } from '../../media/mp4/isoBox.js';
import { mostSamples, trackRunsIn } from '../../media/mp4/trackRuns.js';
import { RefreshedCache } from '../../platform/refreshedCache.js';
import type { ByteRange } from '../../platform/storage/byteRange.js';
import type { StoredFile } from '../../platform/storage/storage.js';
import { continuousInitialisation } from './continuousInitialisation.js';
import { readContinuousPath } from './continuousPath.js';
import { continuousSegment, type ContinuousSegment, type FragmentedSegment } from './continuousSegment.js';
import type { StoredFragment } from './continuousTimes.js';

declare module '../../platform/context.js' {
  interface Context {
    /** Files of the continuous form that were asked for lately, by their paths. They never change. */
    readonly continuousFiles: ContinuousFiles;
  }
}

/** A file of the continuous form. `body` is a part of the stored file; null: there is nothing behind the head. */
export interface ContinuousFile extends Pick<ContinuousSegment, 'head'> {
  readonly stored: StoredFile;
  readonly body: ContinuousSegment['body'] | null;
}

export type ContinuousFiles = RefreshedCache<ContinuousFile>;

/** Ten kilobytes each. */
const mostKept = 1_000;
/** An initialisation segment has about 1.3 kB. */
const longestInitialisation = 64 * 1024;
/** The box `moof` of four seconds has some kilobytes: it is read with one access to the store. */
const usualBytes = 16 * 1024;
const longestFragment = 1024 * 1024;
/** Fragments of live segments are half a second long, and one may begin at each frame. */
const mostBoxes = 1_000;
const boxHeaderBytes = 8;

export function createContinuousFiles(): ContinuousFiles {
  return new RefreshedCache({ lifetimeMs: Number.POSITIVE_INFINITY, maximum: mostKept });
}

/**
 * The file at a path whose grant was checked: read and computed once by this process. Null: there is no such path. Throws
 * NotFoundError; DamagedMediaError where the stored file cannot be read as a segment.
 */
export function continuousFile(ctx: Context, path: string): Promise<ContinuousFile | null> {
  return ctx.continuousFiles.get(path, async () => {
    const asked = readContinuousPath(path);
    if (!asked) return null;
    if ('map' in asked) {
      const stored = await storedFile(ctx, asked.map);
      return { stored, head: continuousInitialisation(await initialisation(ctx, stored)), body: null };
    }
    const stored = await storedFile(ctx, asked.file.key);
    return { stored, ...continuousSegment(await storedSegment(ctx, asked.file, stored), asked.time) };
  });
}

async function storedFile(ctx: Context, key: string): Promise<StoredFile> {
  const stored = await ctx.storage.stat(key);
  if (!stored) throw new NotFoundError({ detail: `no stored file ${key}` });
  return stored;
}

async function initialisation(ctx: Context, { key, bytes }: StoredFile): Promise<Buffer> {
  if (bytes > longestInitialisation) throw new DamagedMediaError(`initialisation segment of ${bytes} bytes: ${key}`);
  return read(ctx, key, 0, bytes);
}

/** Reads the boxes `moof` of a segment, and not its media. */
async function storedSegment(ctx: Context, { map }: SegmentFile, segment: StoredFile): Promise<FragmentedSegment> {
  const init = await initialisation(ctx, await storedFile(ctx, map));
  const fragments: StoredFragment[] = [];
  const media: ByteRange[] = [];
  let samples = 0;
  for await (const { type, start, length, beginning } of boxesOf(ctx, segment)) {
    if (type === 'moof') {
      if (length > longestFragment) throw new DamagedMediaError(`fragment of ${length} bytes in ${segment.key}`);
      const moof = length > beginning.length ? await read(ctx, segment.key, start, length) : beginning;
      fragments.push({ start, runs: trackRunsIn(moof.subarray(0, length)) });
      samples += fragments.at(-1)?.runs.reduce((sum, run) => sum + run.samples.length, 0) ?? 0;
      if (samples > mostSamples) throw new DamagedMediaError(`${samples} samples in ${segment.key}`);
    }
    if (type === 'mdat') media.push({ start: start + boxHeaderBytes, end: start + length - 1 });
  }
  const [first, last] = [media[0], media.at(-1)];
  if (!first || !last) throw new DamagedMediaError(`no media in ${segment.key}`);
  return { init, fragments, media: { start: first.start, end: last.end } };
}

interface StoredBox {
  readonly type: string;
  readonly start: number;
  readonly length: number;
  /** Its first bytes, and perhaps some behind it. */
  readonly beginning: Buffer;
}

/** The boxes of a file in order. Throws DamagedMediaError. */
async function* boxesOf(ctx: Context, { key, bytes }: StoredFile): AsyncGenerator<StoredBox> {
  let at = 0;
  for (let count = 0; at + boxHeaderBytes <= bytes; count += 1) {
    const beginning = await read(ctx, key, at, Math.min(usualBytes, bytes - at));
    const length = beginning.readUInt32BE(0);
    if (length < boxHeaderBytes || at + length > bytes || count === mostBoxes)
      throw new DamagedMediaError(`damaged box at ${at} of ${key}`);
    yield { type: beginning.toString('latin1', 4, 8), start: at, length, beginning };
    at += length;
  }
}

async function read(ctx: Context, key: string, start: number, bytes: number): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for await (const block of await ctx.storage.read(key, { start, end: start + bytes - 1 }))
    blocks.push(block as Buffer);
  return Buffer.concat(blocks);
}
