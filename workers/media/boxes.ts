import { open } from 'node:fs/promises';
import { audioBits } from '../../shared/content/ladder.js';

/*
 * The part of the MP4 container format (ISO 14496-12) that is needed to check our own segments: their samples and times.
 */

/** The bytes are not a file of this format. */
export class DamagedMediaError extends Error {}

interface Box {
  readonly type: string;
  /** Offsets of its content in the buffer. */
  readonly start: number;
  readonly end: number;
}

function* boxesIn(buffer: Buffer, start: number, end: number): Generator<Box> {
  let at = start;
  while (at + 8 <= end) {
    const size = buffer.readUInt32BE(at);
    if (size < 8 || at + size > end) throw new DamagedMediaError(`damaged box at ${at}`);
    yield { type: buffer.toString('latin1', at + 4, at + 8), start: at + 8, end: at + size };
    at += size;
  }
}

function find(buffer: Buffer, within: Box | Buffer, ...path: readonly string[]): Box | undefined {
  let box: Box | undefined = Buffer.isBuffer(within) ? { type: '', start: 0, end: within.length } : within;
  for (const type of path) {
    if (!box) return undefined;
    box = [...boxesIn(buffer, box.start, box.end)].find((inner) => inner.type === type);
  }
  return box;
}

function need(buffer: Buffer, within: Box | Buffer, ...path: readonly string[]): Box {
  const box = find(buffer, within, ...path);
  if (!box) throw new DamagedMediaError(`no box ${path.join('/')}`);
  return box;
}

/** A track of an initialisation segment. */
export interface Track {
  readonly id: number;
  readonly kind: 'video' | 'audio';
  readonly timescale: number;
}

/** Bytes at the start of a sample entry, before its boxes. */
const entryHeader = { video: 78, audio: 28 };

export function readTracks(init: Buffer): Track[] {
  const moov = need(init, init, 'moov');
  const tracks = [...boxesIn(init, moov.start, moov.end)].filter((box) => box.type === 'trak');
  return tracks.map((trak) => {
    const tkhd = need(init, trak, 'tkhd');
    const mdhd = need(init, trak, 'mdia', 'mdhd');
    const handler = need(init, trak, 'mdia', 'hdlr');
    return {
      id: init.readUInt32BE(tkhd.start + (init[tkhd.start] === 1 ? 20 : 12)),
      kind: init.toString('latin1', handler.start + 8, handler.start + 12) === 'vide' ? 'video' : 'audio',
      timescale: init.readUInt32BE(mdhd.start + (init[mdhd.start] === 1 ? 20 : 12)),
    };
  });
}

function sampleEntry(init: Buffer, kind: 'video' | 'audio'): Box {
  const moov = need(init, init, 'moov');
  for (const trak of [...boxesIn(init, moov.start, moov.end)].filter((box) => box.type === 'trak')) {
    const handler = need(init, trak, 'mdia', 'hdlr');
    if ((init.toString('latin1', handler.start + 8, handler.start + 12) === 'vide') !== (kind === 'video')) continue;
    const stsd = need(init, trak, 'mdia', 'minf', 'stbl', 'stsd');
    const [entry] = boxesIn(init, stsd.start + 8, stsd.end);
    if (entry) return { ...entry, start: entry.start + entryHeader[kind] };
  }
  throw new DamagedMediaError(`no sample entry of ${kind}`);
}

/** Bytes from the start of the boxes of a video sample entry back to its width. */
const widthBefore = 54;

/** The size of the coded frames, in pixels. */
export function frameSizeOf(init: Buffer): { width: number; height: number } {
  const at = sampleEntry(init, 'video').start - widthBefore;
  return { width: init.readUInt16BE(at), height: init.readUInt16BE(at + 2) };
}

/** The `CODECS` attribute of a playlist (RFC 6381), from the decoder configuration. */
export function codecsOf(init: Buffer): string {
  const avcC = need(init, sampleEntry(init, 'video'), 'avcC');
  return `avc1.${init.toString('hex', avcC.start + 1, avcC.start + 4)},mp4a.40.2`;
}

/**
 * The same initialisation segment without the bit rates that the muxer estimates from each chunk, so that the
 * initialisation segments of all chunks are equal, byte for byte.
 */
export function stripBitrateHints(init: Buffer): Buffer {
  const copy = Buffer.from(init);
  for (const kind of ['video', 'audio'] as const) {
    const entry = sampleEntry(copy, kind);
    const btrt = find(copy, entry, 'btrt');
    if (btrt) copy.fill(0, btrt.start, btrt.end);
    const esds = find(copy, entry, 'esds');
    const config = esds && copy.indexOf(Buffer.from([0x40, 0x15]), esds.start);
    if (!esds || config === undefined || config < 0 || config + 13 > esds.end) continue;
    copy.writeUInt32BE(audioBits, config + 5);
    copy.writeUInt32BE(audioBits, config + 9);
  }
  return copy;
}

/** The part of a segment that belongs to one track; times in ticks of the track. */
export interface TrackFragment {
  readonly track: number;
  readonly samples: number;
  readonly decodeTime: number;
  readonly duration: number;
  /** Presentation time of its first sample. */
  readonly presentationTime: number;
  /** The smallest difference between presentation and decoding time of a sample; CMAF allows negative ones. */
  readonly smallestOffset: number;
  /** All samples have the same duration. */
  readonly uniform: boolean;
  /** Its first sample is a sync sample: of video, a keyframe. */
  readonly startsWithSync: boolean;
}

/** The fragments of a segment, or of a part of it, in memory. Throws DamagedMediaError. */
export function fragmentsIn(segment: Buffer): TrackFragment[] {
  return [...boxesIn(segment, 0, segment.length)]
    .filter(({ type }) => type === 'moof')
    .flatMap(({ start, end }) => fragmentsOf(segment.subarray(start - 8, end)));
}

/** Reads the fragments of a segment file, without its media. */
export async function readFragments(path: string): Promise<TrackFragment[]> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const header = Buffer.alloc(8);
    const fragments: TrackFragment[] = [];
    for (let at = 0; at + 8 <= size;) {
      await handle.read(header, 0, 8, at);
      const length = header.readUInt32BE(0);
      if (length < 8 || at + length > size) throw new DamagedMediaError(`damaged box at ${at} of ${path}`);
      if (header.toString('latin1', 4, 8) === 'moof') {
        const moof = Buffer.alloc(length);
        await handle.read(moof, 0, length, at);
        fragments.push(...fragmentsOf(moof));
      }
      at += length;
    }
    return fragments;
  } finally {
    await handle.close();
  }
}

function fragmentsOf(moof: Buffer): TrackFragment[] {
  const trafs = [...boxesIn(moof, 8, moof.length)].filter((box) => box.type === 'traf');
  return trafs.map((traf) => {
    const header = readHeader(moof, need(moof, traf, 'tfhd'));
    const tfdt = need(moof, traf, 'tfdt');
    const decodeTime =
      moof[tfdt.start] === 1 ? Number(moof.readBigUInt64BE(tfdt.start + 4)) : moof.readUInt32BE(tfdt.start + 4);
    const samples = [...boxesIn(moof, traf.start, traf.end)]
      .filter((box) => box.type === 'trun')
      .flatMap((trun) => readRun(moof, trun, header));
    let time = decodeTime;
    let presentationTime = Number.POSITIVE_INFINITY;
    for (const sample of samples) {
      presentationTime = Math.min(presentationTime, time + sample.offset);
      time += sample.duration;
    }
    const uniform = samples.every((sample) => sample.duration === samples[0]?.duration);
    return {
      track: header.track,
      samples: samples.length,
      decodeTime,
      duration: time - decodeTime,
      presentationTime,
      smallestOffset: samples.reduce((smallest, { offset }) => Math.min(smallest, offset), Number.POSITIVE_INFINITY),
      uniform,
      startsWithSync: samples[0]?.isSync ?? false,
    };
  });
}

/** What samples have that say nothing else. */
interface SampleDefaults {
  readonly duration: number;
  readonly flags: number;
}

function readHeader(moof: Buffer, tfhd: Box): SampleDefaults & { track: number } {
  const present = moof.readUInt32BE(tfhd.start) & 0xffffff;
  let at = tfhd.start + 8 + (present & 0x1 ? 8 : 0) + (present & 0x2 ? 4 : 0);
  const next = (): number => moof.readUInt32BE((at += 4) - 4);
  const duration = present & 0x8 ? next() : 0;
  if (present & 0x10) next();
  return { track: moof.readUInt32BE(tfhd.start + 4), duration, flags: present & 0x20 ? next() : 0 };
}

const isNonSync = 0x10000;
/** Far more than a segment has: a number in a damaged file must not make this process allocate without limit. */
const mostSamples = 100_000;

function readRun(
  moof: Buffer,
  trun: Box,
  usual: SampleDefaults,
): { duration: number; offset: number; isSync: boolean }[] {
  const present = moof.readUInt32BE(trun.start) & 0xffffff;
  const count = moof.readUInt32BE(trun.start + 4);
  if (count > mostSamples) throw new DamagedMediaError(`a run of ${count} samples`);
  let at = trun.start + 8 + (present & 0x1 ? 4 : 0);
  const next = (): number => moof.readInt32BE((at += 4) - 4);
  const first = present & 0x4 ? next() : usual.flags;
  return Array.from({ length: count }, (_, index) => {
    const duration = present & 0x100 ? next() : usual.duration;
    if (present & 0x200) next();
    const flags = present & 0x400 ? next() : index === 0 ? first : usual.flags;
    return { duration, offset: present & 0x800 ? next() : 0, isSync: (flags & isNonSync) === 0 };
  });
}
